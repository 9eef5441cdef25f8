#include "catalog/query/search_context.h"

#include <sqlite3.h>

#include <array>
#include <memory>
#include <new>

namespace tonearm::catalog {

namespace {

/// The interval at which work is counted, in instructions of SQLite's virtual machine.
constexpr int kWorkUnit = 1'000;
/// Enough for statements over a small database.
constexpr std::uint64_t kMinWork = 1'000'000;
/// A row of a table takes at least a few bytes and about ten instructions; a term of FTS5 takes a byte and about five.
constexpr std::uint64_t kWorkPerByte = 16;

/// The remaining work of a connection.
struct WorkBudget {
  std::uint64_t left = 0;
  Interrupted interrupted;

  bool consume() {
    if (left < kWorkUnit || (interrupted && interrupted())) return false;
    left -= kWorkUnit;
    return true;
  }
};

void limit_work(sqlite3* database, std::uint64_t file_size, const Interrupted& interrupted) {
  auto work = std::make_unique<WorkBudget>(WorkBudget{kMinWork + kWorkPerByte * file_size, interrupted});
  WorkBudget* const kept = work.release();                                        // owned by the connection
  const auto drop = [](void* owned) { delete static_cast<WorkBudget*>(owned); };  // NOLINT(*-owning-memory)
  if (sqlite3_set_clientdata(database, "work", kept, drop) != SQLITE_OK) throw Failure("no memory");
  sqlite3_progress_handler(
      database, kWorkUnit, [](void* counted) { return static_cast<WorkBudget*>(counted)->consume() ? 0 : 1; }, kept);
}

/// Far above what a snapshot needs, and low enough to be harmless.
void limit_sizes(sqlite3* database) {
  static constexpr std::array<std::array<int, 2>, 11> kLimits{{{SQLITE_LIMIT_LENGTH, 1'000'000},
                                                               {SQLITE_LIMIT_SQL_LENGTH, 10'000},
                                                               {SQLITE_LIMIT_COLUMN, 32},
                                                               {SQLITE_LIMIT_EXPR_DEPTH, 32},
                                                               {SQLITE_LIMIT_COMPOUND_SELECT, 4},
                                                               {SQLITE_LIMIT_VDBE_OP, 10'000},
                                                               {SQLITE_LIMIT_ATTACHED, 0},
                                                               {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64},
                                                               {SQLITE_LIMIT_VARIABLE_NUMBER, 16},
                                                               {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
                                                               {SQLITE_LIMIT_WORKER_THREADS, 0}}};
  for (const auto& [which, value] : kLimits) sqlite3_limit(database, which, value);
}

/// SQLite parses all rows of the schema before anything else and continues after errors. So this checks the schema's
/// page first: it must be a single page with few rows. https://www.sqlite.org/fileformat2.html, 1.3 and 1.6
void check_first_page(const SnapshotFile& file) {
  constexpr std::size_t kApplicationIdOffset = 68;
  constexpr std::size_t kPageOffset = 100;  // of the header of the first page
  constexpr unsigned kTableLeaf = 13;
  constexpr unsigned kRowsMax = 16;
  std::array<char, kPageOffset + 8> bytes{};
  if (file.size() < bytes.size()) throw_damaged("it is truncated");
  file.copy(0, bytes);
  const auto byte = [&](std::size_t at) -> unsigned { return static_cast<unsigned char>(bytes.at(at)); };
  std::int64_t application = 0;
  for (std::size_t i = 0; i < 4; ++i) application = application << 8 | byte(kApplicationIdOffset + i);
  if (application != kApplicationId) throw Failure("the file is not a snapshot of this project");
  if (byte(kPageOffset) != kTableLeaf || (byte(kPageOffset + 3) << 8U | byte(kPageOffset + 4)) > kRowsMax) {
    throw_damaged("its schema does not fit on one page");
  }
}

}  // namespace

sql::SqliteHandle connect_untrusted(const SqliteSnapshot& snapshot, const Interrupted& interrupted) {
  sql::SqliteHandle database = snapshot.connect();
  check_first_page(snapshot.file());
  limit_work(database.get(), snapshot.file().size(), interrupted);
  limit_sizes(database.get());
  sqlite3_db_config(database.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database.get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(database.get(), SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_db_config(database.get(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sql::execute(database.get(), "PRAGMA cell_size_check = ON");
  return database;
}

SearchContextPool::Lease SearchContextPool::borrow() {
  std::unique_ptr<SearchContext> context;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      context = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!context) context = std::make_unique<SearchContext>(connect_untrusted(snapshot_));
  return {context.release(), Releaser{this}};
}

void SearchContextPool::release(std::unique_ptr<SearchContext> context) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    idle_.push_back(std::move(context));
  } catch (const std::bad_alloc&) {  // closes the context
  }
}

}  // namespace tonearm::catalog
