#include "state/collections/collection_rows.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include "state/accounts/account_rows.h"
#include "state/collections/collection_tracks.h"
#include "state/collections/sort_keys.h"
#include "state/columns.h"

namespace tonearm::state {

namespace {

[[noreturn]] void damaged(const std::string& what) { throw sql::Failure("the state is damaged: " + what); }

bool flag_at(const sql::Row& row, std::size_t column) { return integer_at(row, column) != 0; }

sql::Value text_or_null(const std::string& text) {
  if (text.empty()) return std::monostate{};
  return text;
}
std::string text_or_empty_at(const sql::Row& row, std::size_t column) {
  return maybe_text_at(row, column).value_or(std::string());
}

template <class Enum>
Enum named_at(const sql::Row& row, std::size_t column, std::initializer_list<Enum> all) {
  const std::string& name = text_at(row, column);
  for (const Enum value : all) {
    if (to_string(value) == name) return value;
  }
  damaged("a license record has an unknown word");
}

/// Returns the chips as bits: bit i is chip i of kChipNames.
std::int64_t bits_of(const Modifications& modifications) {
  std::int64_t bits = 0;
  for (std::size_t i = 0; i < kChipNames.size(); ++i) bits |= std::int64_t{modifications.chips[i]} << i;
  return bits;
}
Modifications modifications_at(const sql::Row& row, std::size_t column) {
  Modifications modifications;
  const std::int64_t bits = integer_at(row, column);
  if (bits < 0 || bits >= (std::int64_t{1} << kChipNames.size())) damaged("an item has unknown modifications");
  for (std::size_t i = 0; i < kChipNames.size(); ++i) modifications.chips[i] = ((bits >> i) & 1) != 0;
  modifications.text = text_or_empty_at(row, column + 1);
  return modifications;
}

constexpr std::size_t kReceiptColumn = 21;
/// The last column is null without a receipt.
std::string select_items(ReceiptTexts texts) {
  return std::string(
             "SELECT track_id, place, note, chips, modification_text, added_s, license_id, commercial,"
             " credit_required, share_alike, attribution, license_name, license_url, license_status, credit_line, "
             "title,"
             " artist, source_page, catalog_version, recorded_s, credit_as, ") +
         (texts == ReceiptTexts::loaded ? "receipt" : "CASE WHEN receipt IS NULL THEN NULL ELSE '' END") +
         " FROM collection_items WHERE account = ?1 AND collection_id = ?2 ORDER BY place";
}

constexpr std::string_view kInsertItem =
    "INSERT INTO collection_items (account, collection_id, track_id, place, note, chips, modification_text, added_s,"
    " license_id, commercial, credit_required, share_alike, attribution, license_name, license_url, license_status,"
    " credit_line, title, artist, source_page, catalog_version, recorded_s, credit_as, receipt)"
    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,"
    " ?23, ?24)";

LicenseTerms terms_at(const sql::Row& row, std::size_t column) {
  using enum Attribution;
  return {text_at(row, column), flag_at(row, column + 1), flag_at(row, column + 2), flag_at(row, column + 3),
          named_at(row, column + 4, {optional, requested, required})};
}

LicenseRecord record_at(const sql::Row& row, std::size_t column) {
  LicenseRecord record;
  record.terms = terms_at(row, column);
  record.license_name = text_at(row, column + 5);
  record.license_url = text_or_empty_at(row, column + 6);
  record.license_status = named_at(row, column + 7, {LicenseStatus::listed, LicenseStatus::verified});
  record.credit_line = text_at(row, column + 8);
  record.title = text_at(row, column + 9);
  record.artist = text_at(row, column + 10);
  record.source_page = text_or_empty_at(row, column + 11);
  record.catalog_version = text_at(row, column + 12);
  record.recorded_s = integer_at(row, column + 13);
  record.credit_as = text_or_empty_at(row, column + 14);
  return record;
}

}  // namespace

void insert_item(sql::Transaction& transaction, const std::string& account, const std::string& collection_id,
                 const CollectionItem& item, std::int64_t sort_key) {
  const LicenseRecord& record = item.record;
  transaction.execute(kInsertItem, {account,
                                    collection_id,
                                    item.track_id,
                                    sort_key,
                                    text_or_null(item.note),
                                    bits_of(item.modifications),
                                    text_or_null(item.modifications.text),
                                    item.added_s,
                                    record.terms.license_id,
                                    std::int64_t{record.terms.commercial},
                                    std::int64_t{record.terms.credit_required},
                                    std::int64_t{record.terms.share_alike},
                                    std::string(to_string(record.terms.attribution)),
                                    record.license_name,
                                    text_or_null(record.license_url),
                                    std::string(to_string(record.license_status)),
                                    record.credit_line,
                                    record.title,
                                    record.artist,
                                    text_or_null(record.source_page),
                                    record.catalog_version,
                                    record.recorded_s,
                                    text_or_null(record.credit_as),
                                    text_or_null(item.receipt)});
}

namespace {

/// COLLECTION-2, COLLECTION-10: changes are ordered by a counter, because a clock may stop or go back.
std::int64_t next_change(sql::Transaction& transaction, const std::string& account) {
  const sql::Rows rows = transaction.execute(
      "INSERT INTO collection_changes (account, changes) VALUES (?1, 1)"
      " ON CONFLICT (account) DO UPDATE SET changes = collection_changes.changes + 1 RETURNING changes",
      {account});
  return integer_at(rows.at(0), 0);
}

struct StoredItem {
  const CollectionItem* item = nullptr;
  std::int64_t sort_key = 0;
};

/// Inserts new items and updates those that changed or moved. Erases the saved items from `stored`, so that the deleted
/// ones remain.
void save_items(sql::Transaction& transaction, const std::string& account, const Collection& after,
                std::unordered_map<std::string_view, StoredItem>& stored) {
  std::vector<std::optional<std::int64_t>> current_sort_keys;
  for (const CollectionItem& item : after.items) {
    const auto found = stored.find(item.track_id);
    current_sort_keys.push_back(found == stored.end() ? std::nullopt : std::optional(found->second.sort_key));
  }
  const std::vector<std::int64_t> sort_keys = assign_sort_keys(current_sort_keys);
  for (std::size_t i = 0; i < after.items.size(); ++i) {
    const CollectionItem& item = after.items[i];
    const auto found = stored.find(item.track_id);
    if (found == stored.end()) {
      insert_item(transaction, account, after.id, item, sort_keys[i]);
      continue;
    }
    const bool is_unchanged = found->second.sort_key == sort_keys[i] && found->second.item->note == item.note &&
                              found->second.item->modifications == item.modifications;
    stored.erase(found);
    if (is_unchanged) continue;
    transaction.execute(
        "UPDATE collection_items SET place = ?4, note = ?5, chips = ?6, modification_text = ?7"
        " WHERE account = ?1 AND collection_id = ?2 AND track_id = ?3",
        {account, after.id, item.track_id, sort_keys[i], text_or_null(item.note), bits_of(item.modifications),
         text_or_null(item.modifications.text)});
  }
}

}  // namespace

std::vector<CollectionSummary> read_summaries(sql::Transaction& transaction, const std::string& account,
                                              const std::string& catalog_version) {
  const sql::Rows rows = transaction.execute(
      std::string(
          "SELECT c.collection_id, c.name, c.commercial, c.revision, c.track_count, c.created_s, c.updated_s, a.plan,"
          " c.change_order, k.license_changed, k.missing"
          " FROM accounts a JOIN collections c ON c.account = a.account LEFT") +
          kCurrentCheckJoin + " WHERE a.account = ?1 ORDER BY c.change_order DESC",
      {account, catalog_version});
  std::vector<CollectionSummary> summaries;
  summaries.reserve(rows.size());
  for (const sql::Row& row : rows) {
    summaries.push_back({text_at(row, 0), text_at(row, 1), flag_at(row, 2), integer_at(row, 3),
                         is_read_only(plan_at(row, 7), integer_at(row, 8), integer_at(rows[0], 8)), count_at(row, 4),
                         integer_at(row, 5), integer_at(row, 6)});
    CollectionSummary& summary = summaries.back();
    if (summary.track_count == 0) {
      summary.license_changed = summary.missing = 0;
    } else if (!is_null_at(row, 9)) {
      summary.license_changed = count_at(row, 9);
      summary.missing = count_at(row, 10);
    }
  }
  return summaries;
}

std::optional<LoadedCollection> load_collection(sql::Transaction& transaction, const std::string& account,
                                                const std::string& id, ReceiptTexts texts) {
  const sql::Rows rows = transaction.execute(
      "SELECT c.name, c.commercial, c.revision, c.created_s, c.updated_s, a.plan, c.change_order,"
      " (SELECT MAX(l.change_order) FROM collections l WHERE l.account = ?1)"
      " FROM accounts a JOIN collections c ON c.account = a.account WHERE a.account = ?1 AND c.collection_id = ?2",
      {account, id});
  if (rows.empty()) return std::nullopt;
  const sql::Row& head = rows[0];
  LoadedCollection loaded;
  loaded.stored.value = {
      id, text_at(head, 0), flag_at(head, 1), integer_at(head, 2), integer_at(head, 3), integer_at(head, 4), {}};
  loaded.stored.read_only = is_read_only(plan_at(head, 5), integer_at(head, 6), integer_at(head, 7));
  const sql::Rows items = transaction.execute(select_items(texts), {account, id});
  loaded.sort_keys.reserve(items.size());
  loaded.stored.value.items.reserve(items.size());
  for (const sql::Row& row : items) {
    loaded.sort_keys.push_back(integer_at(row, 1));
    loaded.stored.value.items.push_back({text_at(row, 0), text_or_empty_at(row, 2), modifications_at(row, 3),
                                         integer_at(row, 5), record_at(row, 6), !is_null_at(row, kReceiptColumn),
                                         text_or_empty_at(row, kReceiptColumn)});
  }
  return loaded;
}

std::optional<std::vector<std::string>> read_receipts(sql::Transaction& transaction, const std::string& account,
                                                      const std::string& id) {
  if (!read_revision(transaction, account, id)) return std::nullopt;
  std::vector<std::string> receipts;
  for (const sql::Row& row : transaction.execute("SELECT receipt FROM collection_items WHERE account = ?1 AND"
                                                 " collection_id = ?2 AND receipt IS NOT NULL ORDER BY place",
                                                 {account, id})) {
    receipts.push_back(text_at(row, 0));
  }
  return receipts;
}

std::vector<UncheckedCollection> read_unchecked(sql::Transaction& transaction, const std::string& account,
                                                const std::string& catalog_version, std::size_t items_max) {
  const sql::Rows rows = transaction.execute(
      std::string("SELECT c.collection_id, c.revision, c.track_count, i.track_id, i.license_id, i.commercial,"
                  " i.credit_required, i.share_alike, i.attribution FROM collections c LEFT") +
          kCurrentCheckJoin +
          " JOIN collection_items i ON i.account = c.account AND i.collection_id = c.collection_id"
          " WHERE c.account = ?1 AND k.account IS NULL ORDER BY c.change_order DESC, i.place LIMIT ?3",
      {account, catalog_version, static_cast<std::int64_t>(items_max)});
  std::vector<UncheckedCollection> collections;
  for (const sql::Row& row : rows) {
    if (collections.empty() || text_at(row, 0) != collections.back().collection.id) {
      collections.push_back({{text_at(row, 0), integer_at(row, 1), count_at(row, 2)}, {}});
    }
    collections.back().items.push_back({text_at(row, 3), terms_at(row, 4)});
  }
  const auto is_partial = [](const UncheckedCollection& it) { return it.items.size() != it.collection.track_count; };
  if (!collections.empty() && is_partial(collections.back())) collections.pop_back();
  return collections;
}

std::optional<LicenseRecord> read_record(sql::Transaction& transaction, const std::string& account,
                                         const std::string& collection_id, const std::string& track_id) {
  const sql::Rows rows = transaction.execute(
      "SELECT license_id, commercial, credit_required, share_alike, attribution, license_name, license_url,"
      " license_status, credit_line, title, artist, source_page, catalog_version, recorded_s, credit_as"
      " FROM collection_items WHERE account = ?1 AND collection_id = ?2 AND track_id = ?3",
      {account, collection_id, track_id});
  if (rows.empty()) return std::nullopt;
  return record_at(rows[0], 0);
}

std::optional<std::int64_t> read_revision(sql::Transaction& transaction, const std::string& account,
                                          const std::string& id) {
  const sql::Rows rows =
      transaction.execute("SELECT revision FROM collections WHERE account = ?1 AND collection_id = ?2", {account, id});
  if (rows.empty()) return std::nullopt;
  return integer_at(rows[0], 0);
}

std::optional<CreationFacts> read_creation_facts(sql::Transaction& transaction, const std::string& account,
                                                 std::int64_t since_ms) {
  const sql::Rows rows = transaction.execute(
      "SELECT a.plan, (SELECT COUNT(*) FROM collections c WHERE c.account = ?1),"
      " (SELECT COUNT(*) FROM collection_creations n WHERE n.account = ?1 AND n.created_ms > ?2)"
      " FROM accounts a WHERE a.account = ?1",
      {account, since_ms});
  if (rows.empty()) return std::nullopt;
  CreationFacts facts{plan_at(rows[0], 0), count_at(rows[0], 1), count_at(rows[0], 2)};
  if (facts.creations < kCreationsMax) return facts;
  const sql::Rows blocking = transaction.execute(
      "SELECT created_ms FROM collection_creations WHERE account = ?1 AND created_ms > ?2"
      " ORDER BY created_ms LIMIT 1 OFFSET ?3",
      {account, since_ms, static_cast<std::int64_t>(facts.creations - kCreationsMax)});
  facts.blocking_creation_ms = integer_at(blocking.at(0), 0);
  return facts;
}

void record_creation(sql::Transaction& transaction, const std::string& account, const std::string& id,
                     std::int64_t now_ms, std::int64_t since_ms) {
  transaction.execute("DELETE FROM collection_creations WHERE account = ?1 AND created_ms <= ?2", {account, since_ms});
  transaction.execute("INSERT INTO collection_creations (account, created_ms, collection_id) VALUES (?1, ?2, ?3)",
                      {account, now_ms, id});
}

void insert_collection(sql::Transaction& transaction, const std::string& account, const Collection& collection) {
  transaction.execute(
      "INSERT INTO collections (account, collection_id, name, commercial, revision, track_count, created_s, updated_s,"
      " change_order) VALUES (?1, ?2, ?3, ?4, ?5, 0, ?6, ?7, ?8)",
      {account, collection.id, collection.name, std::int64_t{collection.commercial}, collection.revision,
       collection.created_s, collection.updated_s, next_change(transaction, account)});
}

void save_collection(sql::Transaction& transaction, const std::string& account, const LoadedCollection& before,
                     const Collection& after) {
  const Collection& old = before.stored.value;
  const sql::Rows saved = transaction.execute(
      "UPDATE collections SET name = ?4, commercial = ?5, revision = ?6, track_count = ?7, updated_s = ?8,"
      " change_order = ?9 WHERE account = ?1 AND collection_id = ?2 AND revision = ?3 RETURNING revision",
      {account, after.id, old.revision, after.name, std::int64_t{after.commercial}, after.revision,
       static_cast<std::int64_t>(after.items.size()), after.updated_s, next_change(transaction, account)});
  if (saved.empty()) throw sql::Failure("another transaction changed the collection at the same time");
  std::unordered_map<std::string_view, StoredItem> items;
  for (std::size_t i = 0; i < old.items.size(); ++i) {
    items.emplace(old.items[i].track_id, StoredItem{&old.items[i], before.sort_keys[i]});
  }
  save_items(transaction, account, after, items);
  for (const auto& [track_id, deleted] : items) {
    transaction.execute("DELETE FROM collection_items WHERE account = ?1 AND collection_id = ?2 AND track_id = ?3",
                        {account, after.id, deleted.item->track_id});
  }
}

std::optional<DeletedCollection> delete_collection(sql::Transaction& transaction, const std::string& account,
                                                   const std::string& id) {
  const sql::Rows found = transaction.execute(
      "DELETE FROM collections WHERE account = ?1 AND collection_id = ?2 RETURNING collection_id", {account, id});
  if (found.empty()) return std::nullopt;
  delete_check(transaction, account, id);
  delete_tracks(transaction, account, id);
  const sql::Rows items = transaction.execute(
      "DELETE FROM collection_items WHERE account = ?1 AND collection_id = ?2 RETURNING track_id", {account, id});
  // Every item contains its license record.
  return DeletedCollection{items.size(), items.size()};
}

}  // namespace tonearm::state
