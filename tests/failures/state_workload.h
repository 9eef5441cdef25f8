#pragma once
// Random operations on a state of accounts and collections that is stored on a Disk, as one server process runs them.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "disk.h"
#include "fakes.h"
#include "state/accounts/accounts.h"
#include "state/collections/collections.h"
#include "system/system_ports.h"
#include "tonearm/sqlite.h"
#include "witnessed_store.h"

namespace tonearm::test {

class StateWorkload {
 public:
  /// One operation with its arguments. `run` may throw; `after` is called once it has returned.
  struct Operation {
    std::function<void()> run;
    std::function<void()> after = {};
  };

  /// `unwatched` runs what is no part of an operation.
  StateWorkload(Disk& disk, std::uint64_t seed, std::function<void(const std::function<void()>&)> unwatched);
  ~StateWorkload();

  static std::size_t operation_count();
  static std::string_view operation_name(std::size_t index);
  /// Chooses the arguments of an operation, and keeps the state small.
  Operation prepare(std::size_t index);

  const Witness& witness() const { return witness_; }
  /// Whether the process runs: an operation that restarts it may have failed.
  bool is_running() const { return process_ != nullptr; }
  void start();
  /// Returns the digest of what the process reads.
  std::uint64_t digest() { return process_->store.digest(); }
  /// Whether the process admits a random key exactly if the database says that it is active.
  bool agrees_about_a_key();

 private:
  struct Process {
    Process(sqlite3* raw, sql::SqliteHandle handle, StateWorkload& of);

    sqlite3* database;
    WitnessedStore store;
    std::unique_ptr<state::Accounts> accounts;
    state::Collections collections;
  };
  struct KnownAccount {
    std::string id;
    std::vector<state::NewKey> keys;
  };
  struct Row;
  static const std::vector<Row>& rows();

  std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }
  KnownAccount& some_account() { return known_[below(known_.size())]; }
  state::NewKey some_key(const KnownAccount& account);
  std::unique_ptr<Process> open_process();
  void trim();
  std::string idempotency_key();
  std::optional<state::StoredCollection> some_collection(const KnownAccount& account);
  Operation changing(const std::function<state::CollectionChange(const Collection&)>& make);

  Operation create_account();
  Operation set_plan();
  Operation create_key();
  Operation create_session_key();
  Operation revoke_key();
  Operation delete_account();
  Operation call();
  Operation flush();
  Operation retain();
  Operation drop_oldest();
  Operation reset_limits();
  Operation read_limits();
  Operation create_collection();
  Operation add_tracks();
  Operation change_item();
  Operation remove_item();
  Operation reorder();
  Operation rename();
  Operation remove_collection();
  Operation save_checks();
  Operation import_keys();
  Operation import_collections();
  Operation checkpoint();
  Operation restart();

  Disk& disk_;
  std::function<void(const std::function<void()>&)> unwatched_;
  FakeClock clock_;
  SeededRandom random_;
  SeededRandom ids_;
  native::OpensslHashing hashing_;
  Witness witness_;
  std::unique_ptr<Process> process_;
  std::vector<KnownAccount> known_;
  std::uint64_t operations_ = 0;
  // Another state, from which accounts are imported.
  SeededRandom other_ids_;
  std::unique_ptr<sql::Store> other_store_;
  std::unique_ptr<state::Accounts> other_accounts_;
};

/// What a database contains that was opened after a crash.
struct Recovered {
  bool is_sound = false;  // by PRAGMA integrity_check
  std::uint64_t digest = 0;
};
/// Opens the state on a disk. Throws sql::Failure.
Recovered recover(const Disk& disk);

}  // namespace tonearm::test
