// Collections out of a state and into another (state_transfer.h).

#include <algorithm>
#include <utility>

#include "state/account_rows.h"
#include "state/collection_rows.h"
#include "state/columns.h"
#include "state/import_transaction.h"
#include "state/sort_keys.h"

namespace tonearm::state {

namespace {

/// Heads that are read at once.
constexpr std::int64_t kHeadsAtOnce = 16;
/// What an item or a collection takes beside its texts.
constexpr std::size_t kBytesBesideTexts = 400;

std::size_t bytes_of(const Collection& collection) {
  std::size_t bytes = kBytesBesideTexts + collection.name.size();
  for (const CollectionItem& item : collection.items) {
    const LicenseRecord& record = item.record;
    bytes += kBytesBesideTexts + item.note.size() + item.modifications.text.size() + record.license_url.size() +
             record.credit_line.size() + record.title.size() + record.artist.size() + record.source_page.size();
  }
  return bytes;
}

/// One collection of an import, in its transaction.
class CollectionImport {
 public:
  CollectionImport(sql::Transaction& transaction, const std::string& account, const CollectionToImport& wanted,
                   ImportMode mode)
      : transaction_(transaction),
        account_(account),
        wanted_(wanted),
        mode_(mode),
        name_("the collection " + wanted.value.id) {}

  /// How many rows are new.
  std::size_t write() {
    if (auto loaded = load_collection(transaction_, account_, wanted_.value.id)) {
      compare_row(loaded->stored.value);
      loaded_ = *std::move(loaded);
    } else {
      insert_row();
      added_ = 1;
    }
    for (const ItemToImport& item : wanted_.items) compare_or_append(item);
    write_appended();
    return added_;
  }

 private:
  std::int64_t change_order() {
    const sql::Rows rows = transaction_.execute(
        "SELECT change_order, track_count FROM collections WHERE account = ?1 AND collection_id = ?2",
        {account_, wanted_.value.id});
    if (count_at(rows.at(0), 1) != wanted_.track_count) differ("its number of tracks");
    return integer_at(rows[0], 0);
  }

  void compare_row(const Collection& here) {
    const Collection& there = wanted_.value;
    if (here.revision != there.revision) {
      differ("its revision is " + std::to_string(here.revision) + " here and " + std::to_string(there.revision) +
             " in the file");
    }
    if (here.name != there.name || here.commercial != there.commercial || here.created_s != there.created_s ||
        here.updated_s != there.updated_s || change_order() != wanted_.change_order) {
      differ("another one with the same revision");
    }
  }

  void insert_row() {
    const Collection& there = wanted_.value;
    const sql::Rows others = transaction_.execute(
        "SELECT (SELECT COUNT(*) FROM collections c WHERE c.account = ?1),"
        " (SELECT COUNT(*) FROM collections d WHERE d.account = ?1 AND d.change_order = ?2)",
        {account_, wanted_.change_order});
    if (count_at(others.at(0), 0) >= kCollectionsMax) {
      refuse_import("The account " + account_ + " has " + std::to_string(kCollectionsMax) +
                    " collections, which is as many as it may have: there is no room for " + name_ + '.');
    }
    if (count_at(others[0], 1) > 0) {
      refuse_import("Another collection of the account " + account_ + " has the number that " + name_ +
                    " has in the order of changes: the account was changed here since it was exported.");
    }
    transaction_.execute(
        "INSERT INTO collections (account, collection_id, name, commercial, revision, track_count, created_s,"
        " updated_s, change_order) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        {account_, there.id, there.name, std::int64_t{there.commercial}, there.revision,
         static_cast<std::int64_t>(wanted_.track_count), there.created_s, there.updated_s, wanted_.change_order});
    transaction_.execute(
        "INSERT INTO collection_changes (account, changes) VALUES (?1, ?2) ON CONFLICT (account) DO UPDATE SET"
        " changes = CASE WHEN collection_changes.changes < excluded.changes THEN excluded.changes"
        " ELSE collection_changes.changes END",
        {account_, wanted_.change_order});
  }

  void compare_or_append(const ItemToImport& item) {
    const auto& here = loaded_.stored.value.items;
    const std::string name = "the track " + item.value.track_id;
    if (item.position < here.size()) {
      if (!(here[item.position] == item.value)) differ(name + " is another one here, or at another position");
      return;
    }
    const auto is_it = [&](const CollectionItem& other) { return other.track_id == item.value.track_id; };
    if (std::any_of(here.begin(), here.end(), is_it) ||
        std::any_of(appended_.begin(), appended_.end(), [&](const auto* other) { return is_it(*other); })) {
      differ(name + " has another position here");
    }
    if (!follows(item.position) || item.position >= wanted_.track_count) {
      refuse_import("In " + name_ + " of the account " + account_ + ", " + name + " has the position " +
                    std::to_string(item.position) + ", which does not follow those before it.");
    }
    appended_.push_back(&item.value);
  }

  /// A check does not write the items of the pieces before, so there the first one may stand anywhere behind.
  bool follows(std::size_t position) {
    const std::size_t here = loaded_.stored.value.items.size();
    if (mode_ == ImportMode::check && appended_.empty() && position >= here) first_appended_ = position;
    return position == first_appended_.value_or(here) + appended_.size();
  }

  /// What is there keeps its sort keys.
  void write_appended() {
    std::vector<std::optional<std::int64_t>> sort_keys(loaded_.sort_keys.begin(), loaded_.sort_keys.end());
    sort_keys.resize(sort_keys.size() + appended_.size());
    const std::vector<std::int64_t> assigned = assign_sort_keys(sort_keys);
    for (std::size_t i = 0; i < appended_.size(); ++i) {
      insert_item(transaction_, account_, wanted_.value.id, *appended_[i], assigned[loaded_.sort_keys.size() + i]);
    }
    added_ += appended_.size();
  }

  [[noreturn]] void differ(const std::string& how) {
    refuse_import("The state holds " + name_ + " of the account " + account_ + " otherwise than the file: " + how +
                  ". Nothing was changed.");
  }

  sql::Transaction& transaction_;
  const std::string& account_;
  const CollectionToImport& wanted_;
  const ImportMode mode_;
  std::string name_;
  LoadedCollection loaded_;
  std::vector<const CollectionItem*> appended_;
  std::optional<std::size_t> first_appended_;  // its position, where it need not follow those of the state
  std::size_t added_ = 0;
};

}  // namespace

std::optional<ExportedCollections> export_collections(sql::Store& store, const std::string& account,
                                                      const std::string& after, std::size_t bytes_max) {
  std::optional<ExportedCollections> exported;
  store.transact([&](sql::Transaction& transaction) {
    exported.reset();
    if (!find_account(transaction, account)) return;
    exported.emplace();
    std::string last = after;
    for (std::size_t bytes = 0;;) {
      const sql::Rows heads = transaction.execute(
          "SELECT collection_id, change_order FROM collections WHERE account = ?1 AND collection_id > ?2"
          " ORDER BY collection_id LIMIT ?3",
          {account, last, kHeadsAtOnce});
      if (heads.empty()) return;
      for (const sql::Row& head : heads) {
        if (bytes >= bytes_max) {
          exported->next = last;
          return;
        }
        last = text_at(head, 0);
        auto loaded = load_collection(transaction, account, last);
        if (!loaded) throw sql::Failure("a collection went while it was read");
        bytes += bytes_of(loaded->stored.value);
        exported->collections.push_back({std::move(loaded->stored.value), integer_at(head, 1)});
      }
    }
  });
  return exported;
}

Result<std::size_t> import_collections(sql::Store& store, const std::string& account,
                                       const std::vector<CollectionToImport>& collections, ImportMode mode) {
  return transact_import(store, mode, [&](sql::Transaction& transaction) {
    if (mode == ImportMode::write && !find_account(transaction, account)) {
      throw ImportRefused{{ErrorCode::not_found, "There is no account with this id."}};
    }
    std::size_t added = 0;
    for (const CollectionToImport& collection : collections) {
      added += CollectionImport(transaction, account, collection, mode).write();
    }
    return added;
  });
}

}  // namespace tonearm::state
