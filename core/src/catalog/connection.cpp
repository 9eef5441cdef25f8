#include "catalog/connection.h"

#include <sqlite3.h>

namespace tonearm::catalog {

void distrust_schema(sqlite3* database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
}

Connection::Connection(sql::SqliteHandle database, std::uint32_t size)
    : database_(std::move(database)),
      tokenizer(database_.get()),
      index(database_.get(), size),
      find(database_.get(), "SELECT position FROM ids WHERE id = ?1"),
      render(database_.get(), "SELECT json, offsets FROM tracks WHERE position = ?1"),
      neighbors(database_.get(), "SELECT neighbors FROM tracks WHERE position = ?1") {}

ConnectionPool::Lease ConnectionPool::borrow() {
  std::unique_ptr<Connection> connection;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      connection = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!connection) {
    sql::SqliteHandle database = connect_();
    distrust_schema(database.get());
    connection = std::make_unique<Connection>(std::move(database), size_);
  }
  return {connection.release(), [this](Connection* returned) { keep(std::unique_ptr<Connection>(returned)); }};
}

void ConnectionPool::keep(std::unique_ptr<Connection> connection) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(connection));
}

}  // namespace tonearm::catalog
