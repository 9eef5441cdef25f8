#include "sqlite_state/state_file.h"

#include <sqlite3.h>

#include <stdexcept>
#include <string_view>
#include <utility>

namespace tonearm::native {
namespace {

/// A database that holds something, and no state of ours, is somebody else's: a snapshot, or another program's.
void refuse_foreign_database(const std::string& path, sqlite3* database, sql::Purpose purpose) {
  struct Found {
    std::string_view table;
    bool something = false;
    bool ours = false;
  } found{purpose.table};
  const auto look = [](void* context, int /*columns*/, char** values, char** /*names*/) {
    auto& seen = *static_cast<Found*>(context);
    seen.something = true;
    seen.ours = seen.ours || values[0] == seen.table;
    return 0;
  };
  if (sqlite3_exec(database, "SELECT name FROM sqlite_master", look, &found, nullptr) != SQLITE_OK) {
    throw std::runtime_error(path + " is no database: " + sqlite3_errmsg(database));
  }
  if (found.something && !found.ours) {
    throw std::runtime_error(path + " is a database, but not " + std::string(purpose.name));
  }
}

}  // namespace

std::unique_ptr<sql::Store> open_state_file(const std::string& path, sql::Purpose purpose) {
  auto database = sql::open_sqlite(path, sql::OpenMode::read_write_create);
  refuse_foreign_database(path, database.get(), purpose);
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
