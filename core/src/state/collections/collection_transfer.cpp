#include "state/collections/collection_transfer.h"

#include <algorithm>
#include <utility>

#include "state/accounts/account_rows.h"
#include "state/collections/collection_rows.h"
#include "state/collections/sort_keys.h"
#include "state/columns.h"
#include "state/import_transaction.h"
#include "state/transact.h"

namespace tonearm::state {

namespace {

constexpr std::int64_t kCollectionsPerRead = 16;
/// The approximate size of an item or a collection without its texts.
constexpr std::size_t kBytesWithoutTexts = 400;

std::size_t estimated_bytes(const Collection& collection) {
  std::size_t bytes = kBytesWithoutTexts + collection.name.size();
  for (const CollectionItem& item : collection.items) {
    const LicenseRecord& record = item.record;
    bytes += kBytesWithoutTexts + item.note.size() + item.modifications.text.size() + record.license_url.size() +
             record.credit_line.size() + record.title.size() + record.artist.size() + record.credit_as.size() +
             record.source_page.size() + item.receipt.size();
  }
  return bytes;
}

/// Imports one collection in the caller's transaction.
class CollectionImport {
 public:
  CollectionImport(sql::Transaction& transaction, const std::string& account, const CollectionToImport& source,
                   ImportMode mode)
      : transaction_(transaction),
        account_(account),
        source_(source),
        mode_(mode),
        name_("the collection " + source.value.id) {}

  /// Returns how many rows are new.
  std::size_t write() {
    if (auto loaded = load_collection(transaction_, account_, source_.value.id, ReceiptTexts::loaded)) {
      compare_row(loaded->stored.value);
      loaded_ = *std::move(loaded);
    } else {
      insert_row();
      added_ = 1;
    }
    for (const ItemToImport& item : source_.items) check_or_append(item);
    write_appended();
    return added_;
  }

 private:
  // ---- Error messages

  [[noreturn]] void reject_difference(const std::string& difference) {
    reject_import("The state holds " + name_ + " of the account " + account_ +
                  " otherwise than the file: " + difference + ". Nothing was changed.");
  }
  [[noreturn]] void reject_too_many_collections() {
    reject_import("The account " + account_ + " has " + std::to_string(kCollectionsMax) +
                  " collections, which is as many as it may have: there is no room for " + name_ + '.');
  }
  [[noreturn]] void reject_duplicate_order() {
    reject_import("Another collection of the account " + account_ + " has the number that " + name_ +
                  " has in the order of changes: the account was changed here since it was exported.");
  }
  [[noreturn]] void reject_position(const std::string& track, std::size_t position) {
    reject_import("In " + name_ + " of the account " + account_ + ", " + track + " has the position " +
                  std::to_string(position) + ", which does not follow those before it.");
  }

  std::int64_t change_order() {
    const sql::Rows rows = transaction_.execute(
        "SELECT change_order, track_count FROM collections WHERE account = ?1 AND collection_id = ?2",
        {account_, source_.value.id});
    if (count_at(rows.at(0), 1) != source_.track_count) reject_difference("its number of tracks");
    return integer_at(rows[0], 0);
  }

  void compare_row(const Collection& stored) {
    const Collection& source = source_.value;
    if (stored.revision != source.revision) {
      reject_difference("its revision is " + std::to_string(stored.revision) + " here and " +
                        std::to_string(source.revision) + " in the file");
    }
    if (stored.name != source.name || stored.commercial != source.commercial || stored.created_s != source.created_s ||
        stored.updated_s != source.updated_s || change_order() != source_.change_order) {
      reject_difference("another one with the same revision");
    }
  }

  void insert_row() {
    const Collection& source = source_.value;
    const sql::Rows others = transaction_.execute(
        "SELECT (SELECT COUNT(*) FROM collections c WHERE c.account = ?1),"
        " (SELECT COUNT(*) FROM collections d WHERE d.account = ?1 AND d.change_order = ?2)",
        {account_, source_.change_order});
    if (count_at(others.at(0), 0) >= kCollectionsMax) reject_too_many_collections();
    if (count_at(others[0], 1) > 0) reject_duplicate_order();
    transaction_.execute(
        "INSERT INTO collections (account, collection_id, name, commercial, revision, track_count, created_s,"
        " updated_s, change_order) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        {account_, source.id, source.name, std::int64_t{source.commercial}, source.revision,
         static_cast<std::int64_t>(source_.track_count), source.created_s, source.updated_s, source_.change_order});
    transaction_.execute(
        "INSERT INTO collection_changes (account, changes) VALUES (?1, ?2) ON CONFLICT (account) DO UPDATE SET"
        " changes = CASE WHEN collection_changes.changes < excluded.changes THEN excluded.changes"
        " ELSE collection_changes.changes END",
        {account_, source_.change_order});
  }

  void check_or_append(const ItemToImport& item) {
    const auto& stored = loaded_.stored.value.items;
    const std::string track = "the track " + item.value.track_id;
    if (item.position < stored.size()) {
      if (!(stored[item.position] == item.value)) {
        reject_difference(track + " is another one here, or at another position");
      }
      return;
    }
    const auto is_same = [&](const CollectionItem& other) { return other.track_id == item.value.track_id; };
    if (std::any_of(stored.begin(), stored.end(), is_same) ||
        std::any_of(appended_.begin(), appended_.end(), [&](const auto* other) { return is_same(*other); })) {
      reject_difference(track + " has another position here");
    }
    if (!is_next_position(item.position) || item.position >= source_.track_count) {
      reject_position(track, item.position);
    }
    appended_.push_back(&item.value);
  }

  /// With ImportMode::check, earlier pieces are not written, so the first item may have any position after the stored
  /// ones.
  bool is_next_position(std::size_t position) {
    const std::size_t stored = loaded_.stored.value.items.size();
    if (mode_ == ImportMode::check && appended_.empty() && position >= stored) first_appended_ = position;
    return position == first_appended_.value_or(stored) + appended_.size();
  }

  /// Stored items keep their sort keys.
  void write_appended() {
    std::vector<std::optional<std::int64_t>> sort_keys(loaded_.sort_keys.begin(), loaded_.sort_keys.end());
    sort_keys.resize(sort_keys.size() + appended_.size());
    const std::vector<std::int64_t> assigned = assign_sort_keys(sort_keys);
    for (std::size_t i = 0; i < appended_.size(); ++i) {
      insert_item(transaction_, account_, source_.value.id, *appended_[i], assigned[loaded_.sort_keys.size() + i]);
    }
    added_ += appended_.size();
  }

  sql::Transaction& transaction_;
  const std::string& account_;
  const CollectionToImport& source_;
  const ImportMode mode_;
  std::string name_;
  LoadedCollection loaded_;
  std::vector<const CollectionItem*> appended_;
  std::optional<std::size_t> first_appended_;  // position of the first item, if it need not follow the stored ones
  std::size_t added_ = 0;
};

}  // namespace

std::optional<ExportedCollections> export_collections(sql::Store& store, const std::string& account,
                                                      const std::string& after, std::size_t bytes_max) {
  return transact_of(store, account, [&](sql::Transaction& transaction) -> std::optional<ExportedCollections> {
    if (!find_account(transaction, account)) return std::nullopt;
    ExportedCollections exported;
    std::string last = after;
    for (std::size_t bytes = 0;;) {
      const sql::Rows rows = transaction.execute(
          "SELECT collection_id, change_order FROM collections WHERE account = ?1 AND collection_id > ?2"
          " ORDER BY collection_id LIMIT ?3",
          {account, last, kCollectionsPerRead});
      if (rows.empty()) return exported;
      for (const sql::Row& row : rows) {
        if (bytes >= bytes_max) {
          exported.next = last;
          return exported;
        }
        last = text_at(row, 0);
        auto loaded = load_collection(transaction, account, last, ReceiptTexts::loaded);
        if (!loaded) throw sql::Failure("a collection was deleted while it was read");
        bytes += estimated_bytes(loaded->stored.value);
        exported.collections.push_back({std::move(loaded->stored.value), integer_at(row, 1)});
      }
    }
  });
}

Result<std::size_t> import_collections(sql::Store& store, const std::string& account,
                                       const std::vector<CollectionToImport>& collections, ImportMode mode) {
  return transact_import(store, account, mode, [&](sql::Transaction& transaction) {
    if (mode == ImportMode::write && !find_account(transaction, account)) {
      throw ImportRejected{account_not_found()};
    }
    std::size_t added = 0;
    for (const CollectionToImport& collection : collections) {
      added += CollectionImport(transaction, account, collection, mode).write();
    }
    return added;
  });
}

}  // namespace tonearm::state
