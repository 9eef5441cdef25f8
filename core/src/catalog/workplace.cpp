#include "catalog/workplace.h"

#include <sqlite3.h>

namespace tonearm::catalog {

sql::SqliteHandle connect_distrustfully(const SnapshotFile& file) {
  sql::SqliteHandle database = file.connect();
  sqlite3_db_config(database.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database.get(), SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(database.get(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  return database;
}

WorkplacePool::Lease WorkplacePool::borrow() {
  std::unique_ptr<Workplace> workplace;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      workplace = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!workplace) workplace = std::make_unique<Workplace>(connect_distrustfully(file_));
  return {workplace.release(), GiveBack{this}};
}

void WorkplacePool::keep(std::unique_ptr<Workplace> workplace) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(workplace));
}

}  // namespace tonearm::catalog
