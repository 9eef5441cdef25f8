#pragma once
// Connections to the snapshot's file with their kept statements, lent to one call at a time.

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "catalog/blob_index.h"
#include "catalog/statement.h"
#include "catalog/tokenizer.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

/// Makes a connection distrust its file: no view, trigger or function of its schema runs.
void distrust_schema(sqlite3* database);

class Connection {
 public:
  /// `size`: number of positions. Throws sql::Failure.
  Connection(sql::SqliteHandle database, std::uint32_t size);

  sqlite3* database() { return database_.get(); }

 private:
  sql::SqliteHandle database_;  // outlives the statements below

 public:
  Tokenizer tokenizer;
  BlobIndex index;
  Statement find;
  Statement render;
  Statement neighbors;
};

/// Safe for concurrent calls. Holds as many connections as there were calls at once.
class ConnectionPool {
 public:
  ConnectionPool(ConnectSnapshot connect, std::uint32_t size) : connect_(std::move(connect)), size_(size) {}

  /// A connection, given back at the end of the lease's life. REQUIRES: the pool lives longer.
  using Lease = std::unique_ptr<Connection, std::function<void(Connection*)>>;
  Lease borrow();
  void keep(std::unique_ptr<Connection> connection);

 private:
  ConnectSnapshot connect_;
  std::uint32_t size_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Connection>> idle_;
};

}  // namespace tonearm::catalog
