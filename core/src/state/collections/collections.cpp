#include "state/collections/collections.h"

#include <array>
#include <optional>
#include <utility>

#include "domain/api_key.h"
#include "state/accounts/account_rows.h"
#include "state/collections/collection_rows.h"
#include "state/collections/collection_tracks.h"
#include "state/columns.h"
#include "state/store_time.h"
#include "state/transact.h"

namespace tonearm::state {

namespace {

constexpr std::int64_t kSecondMs = 1'000;

/// KEY-13: a body may arrive long after its call was admitted, and the key may have been revoked in between.
std::optional<Error> check_writer(sql::Transaction& transaction, const Writer& writer, std::int64_t now_ms) {
  if (is_key_active(transaction, writer.account, writer.key_id, now_ms)) return std::nullopt;
  return invalid_key_error();
}

}  // namespace

CollectionSummary StoredCollection::summary() const {
  CollectionSummary summary{value.id,  value.name,         value.commercial, value.revision,
                            read_only, value.items.size(), value.created_s,  value.updated_s};
  return summary;
}

std::vector<CollectionSummary> Collections::list(const std::string& account, const std::string& catalog_version) {
  return transact_of(dependencies_.store, account, [&](sql::Transaction& transaction) {
    return read_summaries(transaction, account, catalog_version);
  });
}

std::size_t Collections::count(const std::string& account) {
  return transact_of(dependencies_.store, account, [&](sql::Transaction& transaction) {
    return count_at(transaction.execute("SELECT COUNT(*) FROM collections WHERE account = ?1", {account}).at(0), 0);
  });
}

Result<StoredCollection> Collections::find(const std::string& account, const std::string& id) {
  if (!is_collection_id(id)) return no_such_collection();
  auto loaded = transact_of(dependencies_.store, account,
                            [&](sql::Transaction& transaction) { return load_collection(transaction, account, id); });
  if (!loaded) return no_such_collection();
  return std::move(loaded->stored);
}

Result<std::vector<std::string>> Collections::receipts(const std::string& account, const std::string& id) {
  if (!is_collection_id(id)) return no_such_collection();
  auto receipts = transact_of(dependencies_.store, account,
                              [&](sql::Transaction& transaction) { return read_receipts(transaction, account, id); });
  if (!receipts) return no_such_collection();
  return *std::move(receipts);
}

Result<StoredCollection> Collections::create(const Writer& writer, const NewCollection& collection) {
  std::array<std::uint8_t, kCollectionIdBytes> random;
  dependencies_.random.fill(random);
  StoredCollection created;
  created.value = {make_collection_id(random), collection.name, collection.commercial, 1, 0, 0, {}};
  return transact_of(dependencies_.store, writer.account,
                     [&](sql::Transaction& transaction) -> Result<StoredCollection> {
                       const std::int64_t now_ms = time_of(transaction, dependencies_.clock);
                       if (auto error = check_writer(transaction, writer, now_ms)) return *std::move(error);
                       const std::int64_t since_ms = now_ms - kCreationsWindowMs;
                       const auto facts = read_creation_facts(transaction, writer.account, since_ms);
                       if (auto error = check_creation(facts->plan, facts->collections, facts->creations,
                                                       facts->blocking_creation_ms - since_ms)) {
                         return *std::move(error);
                       }
                       created.value.created_s = created.value.updated_s = now_ms / kSecondMs;
                       insert_collection(transaction, writer.account, created.value);
                       // The plan `unlimited` has no limit on creations.
                       if (facts->plan != Plan::unlimited) {
                         record_creation(transaction, writer.account, created.value.id, now_ms, since_ms);
                       }
                       return created;
                     });
}

Result<StoredCollection> Collections::change(const Writer& writer, const std::string& id, const Edit& edit,
                                             const CollectionChange& change) {
  if (!is_collection_id(id)) return no_such_collection();
  return transact_of(dependencies_.store, writer.account,
                     [&](sql::Transaction& transaction) -> Result<StoredCollection> {
                       const std::int64_t now_ms = time_of(transaction, dependencies_.clock);
                       if (auto error = check_writer(transaction, writer, now_ms)) return *std::move(error);
                       const auto before = load_collection(transaction, writer.account, id);
                       if (!before) return no_such_collection();
                       Edit now = edit;
                       now.read_only = before->stored.read_only;
                       now.now_s = now_ms / kSecondMs;
                       auto after = change(before->stored.value, now);
                       if (!after) return after.error();
                       if (after->revision != before->stored.value.revision) {
                         save_collection(transaction, writer.account, *before, *after);
                       }
                       return StoredCollection{*std::move(after), before->stored.read_only};
                     });
}

Result<DeletedCollection> Collections::remove(const Writer& writer, const std::string& id,
                                              std::optional<std::int64_t> revision) {
  if (!is_collection_id(id)) return no_such_collection();
  return transact_of(dependencies_.store, writer.account,
                     [&](sql::Transaction& transaction) -> Result<DeletedCollection> {
                       if (auto error = check_writer(transaction, writer, time_of(transaction, dependencies_.clock))) {
                         return *std::move(error);
                       }
                       const auto current = read_revision(transaction, writer.account, id);
                       if (!current) return no_such_collection();
                       if (auto error = check_revision(*current, revision)) return *std::move(error);
                       return *delete_collection(transaction, writer.account, id);
                     });
}

std::vector<UncheckedCollection> Collections::unchecked(const std::string& account, const std::string& catalog_version,
                                                        std::size_t items_max) {
  return transact_of(dependencies_.store, account, [&](sql::Transaction& transaction) {
    return read_unchecked(transaction, account, catalog_version, items_max);
  });
}

void Collections::save_checks(const std::string& account, const std::string& catalog_version,
                              const std::vector<LicenseCheck>& checks) {
  if (checks.empty()) return;
  dependencies_.store.transact_of(account, [&](sql::Transaction& transaction) {
    for (const LicenseCheck& check : checks) save_check(transaction, account, catalog_version, check);
  });
}

LicenseChangesPage Collections::license_changes(const std::string& account, const std::string& catalog_version,
                                                std::uint32_t limit, std::uint32_t offset) {
  return transact_of(dependencies_.store, account, [&](sql::Transaction& transaction) {
    return read_license_changes(transaction, account, catalog_version, limit, offset);
  });
}

std::vector<std::string> Collections::track_texts(const std::string& account, const std::string& id,
                                                  const std::string& catalog_version) {
  return transact_of(dependencies_.store, account, [&](sql::Transaction& transaction) {
    return read_tracks(transaction, account, id, catalog_version);
  });
}

void Collections::save_track_texts(const std::string& account, const std::string& id,
                                   const std::string& catalog_version, const std::vector<std::string>& texts) {
  dependencies_.store.transact_of(account, [&](sql::Transaction& transaction) {
    state::save_tracks(transaction, account, id, catalog_version, texts);
  });
}

}  // namespace tonearm::state
