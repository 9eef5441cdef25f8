#include "state/collections/license_checks.h"

#include <algorithm>

#include "state/collections/collection_rows.h"
#include "state/columns.h"

namespace tonearm::state {

namespace {

// The changed items of a check are stored as one text with a line for each: `c` or `m`, and the id, which contains no
// line break (LINE-3).
constexpr char kChanged = 'c';
constexpr char kMissing = 'm';

std::string text_of(const std::vector<ChangedItem>& items) {
  std::string text;
  for (const ChangedItem& item : items) {
    text += item.missing ? kMissing : kChanged;
    text.append(item.track_id).append(1, '\n');
  }
  return text;
}

std::vector<ChangedItem> items_of(std::string_view text) {
  std::vector<ChangedItem> items;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.empty() || line.size() == text.size())
      throw sql::Failure("the state is damaged: a license check is truncated");
    items.push_back({std::string(line.substr(1)), line.front() == kMissing});
    text.remove_prefix(line.size() + 1);
  }
  return items;
}

/// The part of a collection's changed items that a page shows.
struct PageSlice {
  std::string collection_id;
  std::string collection_name;
  std::size_t begin = 0;
  std::size_t count = 0;
};

void append_changes(sql::Transaction& transaction, const std::string& account, const PageSlice& slice,
                    std::vector<LicenseChange>& changes) {
  const sql::Rows rows =
      transaction.execute("SELECT changed_items FROM license_checks WHERE account = ?1 AND collection_id = ?2",
                          {account, slice.collection_id});
  const std::vector<ChangedItem> items = items_of(text_at(rows.at(0), 0));
  for (std::size_t i = slice.begin; i < std::min(items.size(), slice.begin + slice.count); ++i) {
    auto record = read_record(transaction, account, slice.collection_id, items[i].track_id);
    if (!record) throw sql::Failure("the state is damaged: an item of a license check does not exist");
    changes.push_back(
        {slice.collection_id, slice.collection_name, items[i].track_id, *std::move(record), items[i].missing});
  }
}

}  // namespace

void save_check(sql::Transaction& transaction, const std::string& account, const std::string& catalog_version,
                const LicenseCheck& check) {
  const auto missing = std::count_if(check.changed.begin(), check.changed.end(), [](auto& it) { return it.missing; });
  const auto changed = static_cast<std::int64_t>(check.changed.size()) - missing;
  // RECORD-6: some rows of a deleted account may not have been removed yet.
  transaction.execute(
      "INSERT INTO license_checks (account, collection_id, revision, track_count, catalog_version, license_changed,"
      " missing, changed_items)"
      " SELECT c.account, c.collection_id, c.revision, c.track_count, ?5, ?6, ?7, ?8"
      " FROM accounts a JOIN collections c ON c.account = a.account"
      " WHERE a.account = ?1 AND c.collection_id = ?2 AND c.revision = ?3 AND c.track_count = ?4"
      " ON CONFLICT (account, collection_id) DO UPDATE SET revision = excluded.revision,"
      " track_count = excluded.track_count, catalog_version = excluded.catalog_version,"
      " license_changed = excluded.license_changed, missing = excluded.missing,"
      " changed_items = excluded.changed_items",
      {account, check.collection.id, check.collection.revision, static_cast<std::int64_t>(check.collection.track_count),
       catalog_version, changed, static_cast<std::int64_t>(missing), text_of(check.changed)});
}

void delete_check(sql::Transaction& transaction, const std::string& account, const std::string& collection_id) {
  transaction.execute("DELETE FROM license_checks WHERE account = ?1 AND collection_id = ?2", {account, collection_id});
}

LicenseChangesPage read_license_changes(sql::Transaction& transaction, const std::string& account,
                                        const std::string& catalog_version, std::uint32_t limit, std::uint32_t offset) {
  LicenseChangesPage page;
  page.unchecked = count_at(transaction
                                .execute(std::string("SELECT COUNT(*) FROM collections c LEFT") + kCurrentCheckJoin +
                                             " WHERE c.account = ?1 AND c.track_count > 0 AND k.account IS NULL",
                                         {account, catalog_version})
                                .at(0),
                            0);
  const sql::Rows rows = transaction.execute(
      std::string("SELECT c.collection_id, c.name, k.license_changed + k.missing FROM collections c") +
          kCurrentCheckJoin +
          " WHERE c.account = ?1 AND k.license_changed + k.missing > 0 ORDER BY c.change_order DESC",
      {account, catalog_version});
  const std::uint64_t end = std::uint64_t{offset} + limit;
  for (const sql::Row& row : rows) {
    const std::uint64_t first = page.total;  // of the collection in the whole list
    page.total += count_at(row, 2);
    const std::uint64_t from = std::max<std::uint64_t>(first, offset);
    const std::uint64_t to = std::min(page.total, end);
    if (from >= to) continue;
    append_changes(
        transaction, account,
        {text_at(row, 0), text_at(row, 1), static_cast<std::size_t>(from - first), static_cast<std::size_t>(to - from)},
        page.changes);
  }
  return page;
}

}  // namespace tonearm::state
