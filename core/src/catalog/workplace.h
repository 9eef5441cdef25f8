#pragma once
// What a call needs for itself, lent to one call at a time: the tokenizer, which belongs to a connection, and scratch.

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "catalog/match.h"
#include "catalog/tokenizer.h"
#include "tonearm/snapshot_file.h"

namespace tonearm::catalog {

/// Opens a connection that distrusts its file: no view, trigger or function of its schema runs.
sql::SqliteHandle connect_distrustfully(const SnapshotFile& file);

class Workplace {
 private:
  sql::SqliteHandle database_;  // outlives the tokenizer

 public:
  explicit Workplace(sql::SqliteHandle database) : database_(std::move(database)), tokenizer(database_.get()) {}

  sqlite3* database() { return database_.get(); }

  Tokenizer tokenizer;
  Scratch scratch;
};

/// Safe for concurrent calls. Holds as many as there were calls at once.
class WorkplacePool {
 public:
  explicit WorkplacePool(const SnapshotFile& file) : file_(file) {}

  struct GiveBack {
    WorkplacePool* pool = nullptr;
    void operator()(Workplace* returned) const { pool->keep(std::unique_ptr<Workplace>(returned)); }
  };
  /// Given back at the end of the lease's life. REQUIRES: the pool lives longer.
  using Lease = std::unique_ptr<Workplace, GiveBack>;
  Lease borrow();
  void keep(std::unique_ptr<Workplace> workplace);

 private:
  const SnapshotFile& file_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workplace>> idle_;
};

}  // namespace tonearm::catalog
