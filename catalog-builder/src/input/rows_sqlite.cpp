// Rows of an SQLite table.

#include <filesystem>

#include "input/line_reader.h"
#include "input/rows.h"
#include "tonearm/result.h"
#include "tonearm/sqlite.h"

namespace tonearm::builder {
namespace {

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
      select_.emplace(database_.get(), "SELECT * FROM " + quoted_name(table));
    } catch (const sql::Failure& failure) {
      throw Failure(path + ": " + failure.what());
    }
  }

  std::optional<std::vector<std::string>> columns() const override {
    std::vector<std::string> names;
    names.reserve(static_cast<std::size_t>(select_->column_count()));
    for (int i = 0; i < select_->column_count(); ++i) names.push_back(select_->column_name(i));
    return names;
  }

  bool next(Row& row) override {
    if (!step()) return false;
    row = Row{};
    row.number = ++number_;
    std::size_t bytes = 0;
    for (int i = 0; i < select_->column_count(); ++i) {
      auto& values = row.cells[select_->column_name(i)];
      if (select_->is_null(i)) continue;
      const std::string_view text = select_->text(i);
      bytes += text.size();
      if (bytes > kLineBytesMax) {
        row.cells.clear();
        row.broken = "is longer than 1 MiB";
        return true;
      }
      if (!text.empty()) values.emplace_back(text);
    }
    return true;
  }

 private:
  bool step() {
    try {
      return select_->step();
    } catch (const sql::Failure& failure) {
      throw Failure(path_ + ": " + failure.what());
    }
  }

  std::string path_;
  sql::SqliteHandle database_;
  std::optional<sql::Statement> select_;
  std::uint64_t number_ = 0;
};

}  // namespace

std::unique_ptr<RowReader> open_sqlite_table(const std::string& path, const std::string& table) {
  return std::make_unique<SqliteReader>(path, table);
}

}  // namespace tonearm::builder
