#include "embedded_state/state_file.h"

#include <sqlite3.h>

#include <stdexcept>
#include <string_view>
#include <utility>

namespace tonearm::native {
namespace {

/// A database that holds something, and no state of ours, is somebody else's: a snapshot, or another program's.
void refuse_foreign_database(const std::string& path, sqlite3* database) {
  bool holds_something = false;
  bool is_ours = false;
  const auto look = [](void* context, int /*columns*/, char** values, char** /*names*/) {
    auto& [something, ours] = *static_cast<std::pair<bool&, bool&>*>(context);
    something = true;
    ours = ours || std::string_view(values[0]) == "state_meta";
    return 0;
  };
  std::pair<bool&, bool&> found{holds_something, is_ours};
  if (sqlite3_exec(database, "SELECT name FROM sqlite_master", look, &found, nullptr) != SQLITE_OK) {
    throw std::runtime_error(path + " is no database: " + sqlite3_errmsg(database));
  }
  if (holds_something && !is_ours) throw std::runtime_error(path + " is a database, but not a state of accounts");
}

}  // namespace

std::unique_ptr<sql::Store> open_state_file(const std::string& path) {
  auto database = sql::open_sqlite(path, sql::OpenMode::read_write_create);
  refuse_foreign_database(path, database.get());
  return sql::make_sqlite_store(std::move(database));
}

StateCheckpoint::StateCheckpoint(const std::string& path)
    : database_(sql::open_sqlite(path, sql::OpenMode::read_write_create)) {
  // RECORD-4, RECORD-6: what is removed does not stay behind the log's end either, whichever connection begins it
  // again.
  sql::execute(database_.get(), "PRAGMA journal_size_limit = 0");
}

void StateCheckpoint::run() {
  const int status = sqlite3_wal_checkpoint_v2(database_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  constexpr int kPrimaryCode = 0xff;
  // Busy: another checkpoint is at work.
  if (status != SQLITE_OK && (status & kPrimaryCode) != SQLITE_BUSY) {
    sql::throw_sqlite_failure(database_.get(), "cannot move the log");
  }
}

}  // namespace tonearm::native
