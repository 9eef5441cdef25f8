// A table of an SQLite database, read as it lies.

#include <sqlite3.h>

#include <filesystem>

#include "failure.h"
#include "line_reader.h"
#include "rows.h"
#include "tonearm/sql.h"

namespace tonearm::builder {
namespace {

struct FinalizeStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

std::string quoted_name(const std::string& name) {
  std::string out = "\"";
  for (const char c : name) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

class SqliteReader final : public RowReader {
 public:
  SqliteReader(const std::string& path, const std::string& table) : path_(path) {
    if (!std::filesystem::is_regular_file(path)) throw Failure(path + ": cannot be opened");
    try {
      database_ = sql::open_sqlite(path, sql::OpenMode::read_only_immutable);
    } catch (const sql::Failure& failure) {
      throw Failure(path + ": " + failure.what());
    }
    const auto text = "SELECT * FROM " + quoted_name(table);
    sqlite3_stmt* statement = nullptr;
    const int result = sqlite3_prepare_v2(database_.get(), text.c_str(), -1, &statement, nullptr);
    statement_.reset(statement);
    if (result != SQLITE_OK) throw Failure(path + ": " + sqlite3_errmsg(database_.get()));
  }

  std::optional<std::vector<std::string>> columns() const override {
    const int count = sqlite3_column_count(statement_.get());
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) names.emplace_back(sqlite3_column_name(statement_.get(), i));
    return names;
  }

  bool next(Row& row) override {
    const int result = sqlite3_step(statement_.get());
    if (result == SQLITE_DONE) return false;
    if (result != SQLITE_ROW) throw Failure(path_ + ": " + sqlite3_errmsg(database_.get()));
    row = Row{};
    row.number = ++number_;
    std::size_t bytes = 0;
    for (int i = 0; i < sqlite3_column_count(statement_.get()); ++i) {
      auto& values = row.cells[sqlite3_column_name(statement_.get(), i)];
      if (sqlite3_column_type(statement_.get(), i) == SQLITE_NULL) continue;
      const void* text = sqlite3_column_text(statement_.get(), i);
      const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), i));
      bytes += size;
      if (bytes > kLineBytesMax) {
        row.cells.clear();
        row.broken = "is longer than 1 MiB";
        return true;
      }
      if (size != 0) values.emplace_back(static_cast<const char*>(text), size);
    }
    return true;
  }

 private:
  std::string path_;
  sql::SqliteHandle database_;
  std::unique_ptr<sqlite3_stmt, FinalizeStatement> statement_;
  std::uint64_t number_ = 0;
};

}  // namespace

std::unique_ptr<RowReader> open_sqlite_table(const std::string& path, const std::string& table) {
  return std::make_unique<SqliteReader>(path, table);
}

}  // namespace tonearm::builder
