#include "sqlite_state/state_file.h"

#include <sqlite3.h>

#include <stdexcept>
#include <string_view>
#include <utility>

namespace tonearm::native {
namespace {

/// Throws if the database has tables but not ours: it is a snapshot or belongs to another program.
void refuse_foreign_database(const std::string& path, sqlite3* database, sql::Purpose purpose) {
  struct Found {
    std::string_view table;
    bool has_tables = false;
    bool is_ours = false;
  } found{purpose.table};
  const auto record = [](void* context, int /*columns*/, char** values, char** /*names*/) {
    auto& seen = *static_cast<Found*>(context);
    seen.has_tables = true;
    seen.is_ours = seen.is_ours || values[0] == seen.table;
    return 0;
  };
  if (sqlite3_exec(database, "SELECT name FROM sqlite_master", record, &found, nullptr) != SQLITE_OK) {
    throw std::runtime_error(path + " is not a database: " + sqlite3_errmsg(database));
  }
  if (found.has_tables && !found.is_ours) {
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
  // RECORD-4, RECORD-6: removed data must not remain after the log's end when any connection restarts the log.
  sql::execute(database_.get(), "PRAGMA journal_size_limit = 0");
}

void StateCheckpoint::run() {
  const int status = sqlite3_wal_checkpoint_v2(database_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  constexpr int kPrimaryCode = 0xff;
  // Busy: another checkpoint is running.
  if (status != SQLITE_OK && (status & kPrimaryCode) != SQLITE_BUSY) {
    sql::throw_sqlite_failure(database_.get(), "cannot move the log");
  }
}

}  // namespace tonearm::native
