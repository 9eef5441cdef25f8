#pragma once
// What a call needs for itself, lent to one call at a time: the tokenizer, which belongs to a connection, and scratch.

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "catalog/index/tokenizer.h"
#include "catalog/query/match.h"
#include "tonearm/ports.h"
#include "tonearm/sqlite_snapshot.h"

namespace tonearm::catalog {

/// Opens a connection that distrusts its file: no view or trigger of its schema runs, every cell is checked, and all
/// statements together may do only as much work as the size of the file explains; then, or when it is interrupted, they
/// throw Failure.
sql::SqliteHandle connect_untrusted(const SqliteSnapshot& snapshot, const Interrupted& interrupted = {});

class SearchContext {
 private:
  sql::SqliteHandle database_;  // outlives the tokenizer

 public:
  explicit SearchContext(sql::SqliteHandle database) : database_(std::move(database)), tokenizer(database_.get()) {}

  Tokenizer tokenizer;
  Scratch scratch;
};

/// Safe for concurrent calls. Holds as many as there were calls at once.
class SearchContextPool {
 public:
  explicit SearchContextPool(const SqliteSnapshot& snapshot) : snapshot_(snapshot) {}

  struct GiveBack {
    SearchContextPool* pool = nullptr;
    void operator()(SearchContext* returned) const { pool->keep(std::unique_ptr<SearchContext>(returned)); }
  };
  /// Given back at the end of the lease's life. REQUIRES: the pool lives longer.
  using Lease = std::unique_ptr<SearchContext, GiveBack>;
  Lease borrow();
  void keep(std::unique_ptr<SearchContext> context);

 private:
  const SqliteSnapshot& snapshot_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<SearchContext>> idle_;
};

}  // namespace tonearm::catalog
