#include "state_workload.h"

#include <algorithm>

#include "api/answers/state_lines.h"
#include "collection_samples.h"
#include "state/accounts/account_rows.h"
#include "state/accounts/retention.h"
#include "state/collections/collection_transfer.h"
#include "tonearm/sqlite.h"

namespace tonearm::test {

using namespace state;

namespace {

constexpr const char* kFile = "/state.sqlite";
constexpr std::size_t kAccountsMax = 6;
constexpr std::size_t kCollectionsMax = 4;
constexpr std::size_t kItemsMax = 12;

}  // namespace

struct StateWorkload::Row {
  std::string_view name;
  Operation (StateWorkload::*prepare)();
};

const std::vector<StateWorkload::Row>& StateWorkload::rows() {
  static const std::vector<Row> all{{"create account", &StateWorkload::create_account},
                                    {"set plan", &StateWorkload::set_plan},
                                    {"create key", &StateWorkload::create_key},
                                    {"create session key", &StateWorkload::create_session_key},
                                    {"revoke key", &StateWorkload::revoke_key},
                                    {"delete account", &StateWorkload::delete_account},
                                    {"call", &StateWorkload::call},
                                    {"flush", &StateWorkload::flush},
                                    {"retain", &StateWorkload::retain},
                                    {"drop oldest", &StateWorkload::drop_oldest},
                                    {"reset limits", &StateWorkload::reset_limits},
                                    {"read limits", &StateWorkload::read_limits},
                                    {"create collection", &StateWorkload::create_collection},
                                    {"add tracks", &StateWorkload::add_tracks},
                                    {"change item", &StateWorkload::change_item},
                                    {"remove item", &StateWorkload::remove_item},
                                    {"reorder", &StateWorkload::reorder},
                                    {"rename", &StateWorkload::rename},
                                    {"remove collection", &StateWorkload::remove_collection},
                                    {"save checks", &StateWorkload::save_checks},
                                    {"import keys", &StateWorkload::import_keys},
                                    {"import collections", &StateWorkload::import_collections},
                                    {"checkpoint", &StateWorkload::checkpoint},
                                    {"restart", &StateWorkload::restart}};
  return all;
}

std::size_t StateWorkload::operation_count() { return rows().size(); }
std::string_view StateWorkload::operation_name(std::size_t index) { return rows().at(index).name; }

StateWorkload::Process::Process(sqlite3* raw, sql::SqliteHandle handle, StateWorkload& of)
    : database(raw),
      store(sql::make_sqlite_store(std::move(handle)), of.witness_, of.unwatched_),
      accounts(Accounts::open({of.clock_, of.ids_, of.hashing_, store}, {})),
      collections({of.clock_, of.ids_, store}) {}

StateWorkload::StateWorkload(Disk& disk, std::uint64_t seed,
                             std::function<void(const std::function<void()>&)> unwatched)
    : disk_(disk),
      unwatched_(std::move(unwatched)),
      random_(seed),
      ids_(seed + 1'000'000),
      other_ids_(seed + 2'000'000),
      other_store_(sql::make_sqlite_store(sql::open_sqlite(":memory:", sql::OpenMode::read_write_create))),
      other_accounts_(Accounts::open({clock_, other_ids_, hashing_, *other_store_}, {})) {
  start();
}

StateWorkload::~StateWorkload() = default;

std::unique_ptr<StateWorkload::Process> StateWorkload::open_process() {
  sql::SqliteHandle handle = sql::open_sqlite(kFile, sql::OpenMode::read_write_create, disk_.vfs());
  sqlite3* const raw = handle.get();
  return std::make_unique<Process>(raw, std::move(handle), *this);
}

void StateWorkload::start() {
  if (!process_) process_ = open_process();
}

/// Keeps an account with a key, and few accounts.
void StateWorkload::trim() {
  while (known_.size() > kAccountsMax) {
    (void)process_->accounts->delete_account(known_.front().id);
    known_.erase(known_.begin());
  }
  if (!known_.empty()) return;
  known_.push_back({process_->accounts->create_account(Plan::pro)->account, {}});
  known_.back().keys.push_back(process_->accounts->create_key(known_.back().id).value());
}

StateWorkload::Operation StateWorkload::prepare(std::size_t index) {
  ++operations_;
  clock_.advance_ms(static_cast<std::int64_t>(below(500)));
  if (below(100) == 0) clock_.advance_ms(static_cast<std::int64_t>(below(40)) * 86'400'000);
  trim();
  return (this->*rows().at(index).prepare)();
}

bool StateWorkload::agrees_about_a_key() {
  if (known_.empty() || !is_running()) return true;
  const KnownAccount& account = some_account();
  if (account.keys.empty()) return true;
  const NewKey& key = account.keys[below(account.keys.size())];
  const auto outcome = process_->accounts->admit(key.key, Counting::uncounted).outcome;
  bool is_active = false;
  process_->store.transact([&](sql::Transaction& transaction) {
    is_active = is_key_active(transaction, account.id, key.key_id, clock_.now_ms());
  });
  return is_active == (outcome != Admission::Outcome::invalid_key);
}

NewKey StateWorkload::some_key(const KnownAccount& account) {
  return account.keys.empty() ? NewKey{"key_none", "none", {}} : account.keys[below(account.keys.size())];
}

std::string StateWorkload::idempotency_key() {
  return below(2) == 0 ? std::string() : "request-" + std::to_string(operations_);
}

StateWorkload::Operation StateWorkload::create_account() {
  const auto made = std::make_shared<std::optional<AccountInfo>>();
  const auto plan = static_cast<Plan>(below(3));
  return {
      [this, made, plan, once = idempotency_key()] { *made = process_->accounts->create_account(plan, once).value(); },
      [this, made] {
        known_.push_back({(*made)->account, {}});
      }};
}

StateWorkload::Operation StateWorkload::set_plan() {
  return {[this, id = some_account().id, plan = static_cast<Plan>(below(3))] {
    (void)process_->accounts->set_plan(id, plan);
  }};
}

StateWorkload::Operation StateWorkload::create_key() {
  const std::size_t index = below(known_.size());
  const auto made = std::make_shared<std::optional<NewKey>>();
  return {[this, made, id = known_[index].id, once = idempotency_key()] {
            auto key = process_->accounts->create_key(id, once);
            if (key) *made = *std::move(key);
          },
          [this, index, made] {
            if (*made) known_[index].keys.push_back(**made);
          }};
}

StateWorkload::Operation StateWorkload::create_session_key() {
  const std::size_t index = below(known_.size());
  const auto made = std::make_shared<std::optional<NewKey>>();
  return {[this, made, id = known_[index].id, once = idempotency_key()] {
            *made = process_->accounts->create_session_key(id, 600, once).value();
          },
          [this, index, made] { known_[index].keys.push_back(**made); }};
}

StateWorkload::Operation StateWorkload::revoke_key() {
  return {[this, id = some_key(some_account()).key_id] { (void)process_->accounts->revoke_key(id); }};
}

StateWorkload::Operation StateWorkload::delete_account() {
  const std::size_t index = below(known_.size());
  return {[this, id = known_[index].id] { (void)process_->accounts->delete_account(id); },
          [this, index] { known_.erase(known_.begin() + static_cast<std::ptrdiff_t>(index)); }};
}

StateWorkload::Operation StateWorkload::call() {
  const KnownAccount& account = some_account();
  const NewKey key = some_key(account);
  CallRecord record;
  record.account = account.id;
  record.key_id = key.key_id;
  record.at_ms = clock_.now_ms();
  record.method = "GET";
  record.route = "/v1/search";
  record.status = below(4) == 0 ? 429 : 200;
  record.search_text = "rain";
  return {[this, key = key.key, record] {
    (void)process_->accounts->admit(key);
    process_->accounts->record(record);
  }};
}

StateWorkload::Operation StateWorkload::flush() {
  const Operation one = call();
  unwatched_(one.run);  // so that there is something to write
  return {[this] { process_->accounts->flush(); }};
}

StateWorkload::Operation StateWorkload::retain() {
  return {[this] { (void)run_retention_step(process_->store, clock_); }};
}

StateWorkload::Operation StateWorkload::drop_oldest() {
  return {[this] { (void)drop_oldest_records(process_->store); }};
}

StateWorkload::Operation StateWorkload::reset_limits() {
  return {[this, id = some_account().id] { (void)process_->accounts->reset_limits(id); }};
}

StateWorkload::Operation StateWorkload::read_limits() {
  return {[this, id = some_account().id] {
    (void)process_->accounts->limits(id);
    (void)process_->accounts->calls(id, 10);
    (void)process_->accounts->usage(id);
  }};
}

StateWorkload::Operation StateWorkload::create_collection() {
  const KnownAccount& account = some_account();
  const Writer writer{account.id, some_key(account).key_id};
  const auto there = process_->collections.list(account.id);
  if (there.size() >= kCollectionsMax) (void)process_->collections.remove(writer, there.back().id);
  return {[this, writer, name = "c" + std::to_string(operations_)] {
    (void)process_->collections.create(writer, {name, false});
  }};
}

std::optional<StoredCollection> StateWorkload::some_collection(const KnownAccount& account) {
  const auto there = process_->collections.list(account.id);
  if (there.empty()) return std::nullopt;
  return process_->collections.find(account.id, there[below(there.size())].id).value();
}

/// Prepares a change of a collection. If the account has none, creates one instead.
StateWorkload::Operation StateWorkload::changing(const std::function<CollectionChange(const Collection&)>& make) {
  const KnownAccount& account = some_account();
  const auto collection = some_collection(account);
  if (!collection) return create_collection();
  const Writer writer{account.id, some_key(account).key_id};
  return {[this, writer, id = collection->value.id, change = make(collection->value)] {
    (void)process_->collections.change(writer, id, {}, change);
  }};
}

StateWorkload::Operation StateWorkload::add_tracks() {
  return changing([this](const Collection& there) -> CollectionChange {
    const std::size_t from = there.items.size() >= kItemsMax ? 0 : below(40);
    return
        [tracks = tracks_to_add(from, from + 3)](const Collection& collection, const Edit& edit) -> Result<Collection> {
          auto added = with_tracks(collection, edit, tracks);
          if (!added) return added.error();
          return std::move(added->collection);
        };
  });
}

StateWorkload::Operation StateWorkload::change_item() {
  return changing([this](const Collection& there) -> CollectionChange {
    ItemChange change;
    change.note = "note " + std::to_string(operations_);
    if (below(2) == 0) change.position = below(there.items.size() + 1);
    const std::string id = there.items.empty() ? "t-0" : there.items[below(there.items.size())].track_id;
    return [id, change](const Collection& collection, const Edit& edit) {
      return with_item_changed(collection, edit, id, change);
    };
  });
}

StateWorkload::Operation StateWorkload::remove_item() {
  return changing([this](const Collection& there) -> CollectionChange {
    const std::string id = there.items.empty() ? "t-0" : there.items[below(there.items.size())].track_id;
    return [id](const Collection& collection, const Edit& edit) { return without_item(collection, edit, id); };
  });
}

StateWorkload::Operation StateWorkload::reorder() {
  return changing([](const Collection& there) -> CollectionChange {
    std::vector<std::string> ids;
    for (auto item = there.items.rbegin(); item != there.items.rend(); ++item) ids.push_back(item->track_id);
    return [ids](const Collection& collection, const Edit& edit) { return reordered(collection, edit, ids); };
  });
}

StateWorkload::Operation StateWorkload::rename() {
  return changing([this](const Collection& /*there*/) -> CollectionChange {
    return [name = "n" + std::to_string(operations_)](const Collection& collection, const Edit& edit) {
      return with_settings(collection, edit, {name, {}}, {});
    };
  });
}

StateWorkload::Operation StateWorkload::remove_collection() {
  const KnownAccount& account = some_account();
  const auto collection = some_collection(account);
  if (!collection) return create_collection();
  return {[this, writer = Writer{account.id, some_key(account).key_id}, id = collection->value.id] {
    (void)process_->collections.remove(writer, id);
  }};
}

StateWorkload::Operation StateWorkload::save_checks() {
  const std::string version = "version " + std::to_string(operations_);
  return {[this, version, id = some_account().id] {
    std::vector<LicenseCheck> checks;
    for (const UncheckedCollection& it : process_->collections.unchecked(id, version, 1'000)) {
      checks.push_back({it.collection, {{it.items.front().track_id, true}}});
    }
    process_->collections.save_checks(id, version, checks);
  }};
}

StateWorkload::Operation StateWorkload::import_keys() {
  const std::string account = other_accounts_->create_account(Plan::pro)->account;
  (void)other_accounts_->create_key(account);
  (void)other_accounts_->create_session_key(account, 600);
  const auto lines = api::write_lines(other_accounts_->export_keys(account, {}).value());
  return {[this, keys = api::read_keys(lines, account).value()] {
            (void)process_->accounts->import_keys(keys, ImportMode::write).value();
          },
          [this, account] {
            known_.push_back({account, {}});
          }};
}

StateWorkload::Operation StateWorkload::import_collections() {
  CollectionToImport piece;
  std::array<std::uint8_t, kCollectionIdBytes> id{};
  other_ids_.fill(id);
  piece.value.id = make_collection_id(id);
  piece.value.name = "imported";
  piece.value.created_s = piece.value.updated_s = clock_.now_ms() / 1'000;
  piece.change_order = static_cast<std::int64_t>(operations_);
  piece.track_count = 3;
  for (const TrackToAdd& track : tracks_to_add(0, 3)) {
    piece.items.push_back({piece.items.size(), {track.track_id, "", {}, piece.value.created_s, *track.record}});
  }
  return {[this, piece, account = some_account().id] {
    (void)state::import_collections(process_->store, account, {piece}, ImportMode::write);
  }};
}

StateWorkload::Operation StateWorkload::checkpoint() {
  return {[this, mode = below(2) == 0 ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_TRUNCATE] {
    if (sqlite3_wal_checkpoint_v2(process_->database, nullptr, mode, nullptr, nullptr) != SQLITE_OK) {
      sql::throw_sqlite_failure(process_->database, "checkpoint");
    }
  }};
}

StateWorkload::Operation StateWorkload::restart() {
  return {[this] {
    process_.reset();
    start();
  }};
}

Recovered recover(const Disk& disk) {
  sql::SqliteHandle handle = sql::open_sqlite(kFile, sql::OpenMode::read_write_create, disk.vfs());
  Recovered recovered;
  {
    sql::Statement check(handle.get(), "PRAGMA integrity_check");
    recovered.is_sound = check.step() && check.text(0) == "ok";
  }
  const auto store = sql::make_sqlite_store(std::move(handle));
  store->transact([&](sql::Transaction& transaction) { recovered.digest = digest_of(transaction); });
  return recovered;
}

}  // namespace tonearm::test
