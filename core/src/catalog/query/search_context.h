#pragma once
// The mutable data of a call, lent to one call at a time: a tokenizer, which belongs to a connection, and scratch.

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "catalog/index/tokenizer.h"
#include "catalog/query/match.h"
#include "tonearm/ports.h"
#include "tonearm/sqlite_snapshot.h"

namespace tonearm::catalog {

/// Opens a connection that does not trust its file: views and triggers of the schema do not run, every cell is checked,
/// and the total work of all statements is limited by the size of the file. Throws CatalogDamaged if the first page is
/// damaged, and Failure if the file is not a snapshot. Statements throw Failure when the limit is reached or
/// `interrupted` returns true.
sql::SqliteHandle connect_untrusted(const SqliteSnapshot& snapshot, const Interrupted& interrupted = {});

class SearchContext {
 private:
  sql::SqliteHandle database_;  // outlives the tokenizer

 public:
  explicit SearchContext(sql::SqliteHandle database) : database_(std::move(database)), tokenizer(database_.get()) {}

  Tokenizer tokenizer;
  Scratch scratch;
};

/// Safe for concurrent calls. Keeps as many contexts as there were concurrent calls.
class SearchContextPool {
 public:
  explicit SearchContextPool(const SqliteSnapshot& snapshot) : snapshot_(snapshot) {}

  struct Releaser {
    SearchContextPool* pool = nullptr;
    void operator()(SearchContext* returned) const { pool->release(std::unique_ptr<SearchContext>(returned)); }
  };
  /// Returned to the pool by the lease's destructor. REQUIRES: the pool outlives the lease.
  using Lease = std::unique_ptr<SearchContext, Releaser>;
  Lease borrow();
  void release(std::unique_ptr<SearchContext> context) noexcept;

 private:
  const SqliteSnapshot& snapshot_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<SearchContext>> idle_;
};

}  // namespace tonearm::catalog
