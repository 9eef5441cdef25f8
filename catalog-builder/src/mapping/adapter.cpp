#include "mapping/adapter.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "mapping/row_adapter.h"
#include "mapping/source_files.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

/// Reads the rows of one input.
class InputReader {
 public:
  InputReader(const Mapping& mapping, const InputRule& input, const std::string& folder, Report& report)
      : mapping_(mapping), input_(input) {
    joined_.reserve(input.joins.size());
    for (const auto& rule : input.joins) joined_.emplace_back(rule, folder, input.license_columns, report);
  }

  const InputRule& input() const { return input_; }

  /// Checks the columns of a file before its rows are read. `own`: its columns, if it has a header. Throws Failure.
  void check_columns(const std::string& path, const std::optional<std::vector<std::string>>& own) {
    for (const auto& file : joined_) file.reject_prefixed_columns(path, own);
    for (const auto& named : input_.columns) {
      const auto* file = file_of(named.column);
      const auto& known = file == nullptr ? own : file->columns();
      if (!known) {
        if (!has_rows_ && (file == nullptr || !file->is_absent())) missing_columns_.insert(named.column);
        continue;
      }
      const auto column = file == nullptr ? named.column : named.column.substr(file->prefix().size());
      require_column(*known, column, named.where, file == nullptr ? path : file->name());
    }
  }

  /// Throws std::runtime_error if Boost.Regex gives up.
  bool accepts(const Row& row) const {
    return std::all_of(input_.only.begin(), input_.only.end(),
                       [&](const OnlyRule& only) { return boost::regex_search(row.first(only.column), only.pattern); });
  }

  std::variant<Line, Rejection> line(Row row, Hashing& hashing, Report& report) {
    for (const auto& file : joined_) file.join(row);
    has_rows_ = true;
    std::erase_if(missing_columns_, [&](const std::string& column) { return row.cells.contains(column); });
    return line_of_row(row, mapping_, input_, hashing, report);
  }

  /// Adds the columns of the mapping that rows have to `found`, and the others to `missing`.
  void finish(std::set<std::string>& found, std::set<std::string>& missing) const {
    if (!has_rows_) return;
    for (const auto& named : input_.columns) {
      (missing_columns_.contains(named.column) ? missing : found).insert(named.where + ": " + named.column);
    }
  }

 private:
  const JoinedFile* file_of(const std::string& column) const {
    const auto found = std::find_if(joined_.begin(), joined_.end(),
                                    [&](const JoinedFile& file) { return column.starts_with(file.prefix()); });
    return found == joined_.end() ? nullptr : &*found;
  }

  const Mapping& mapping_;
  const InputRule& input_;
  std::vector<JoinedFile> joined_;
  std::set<std::string> missing_columns_;
  bool has_rows_ = false;
};

void dispatch_row(Row row, std::vector<InputReader>& readers, Hashing& hashing, Report& report,
                  const LineCallback& callback) {
  std::vector<InputReader*> matching;
  if (!row.broken) {
    try {
      for (auto& reader : readers) {
        if (reader.accepts(row)) matching.push_back(&reader);
      }
    } catch (const std::runtime_error&) {  // Boost.Regex
      row.broken = "a value is too complex for a pattern of the mapping";
    }
  }
  if (row.broken) {
    callback(row.number, Rejection{Reason::row_broken, *row.broken, {}});
    return;
  }
  if (matching.empty()) report.count_unmatched();
  for (auto* reader : matching) callback(row.number, reader->line(row, hashing, report));
}

}  // namespace

std::vector<std::string> source_files(const Mapping& mapping, const std::string& folder) {
  std::vector<std::string> files;
  const auto add = [&](const std::vector<std::string>& more) {
    for (const auto& file : more) {
      if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    }
  };
  for (const auto& input : mapping.inputs) {
    const auto found = find_files(input.file, folder);
    add(found);
    for (const auto& join : input.joins) {
      const auto more = find_files(join.file, folder);
      if (!found.empty()) add(more);
    }
  }
  if (files.empty()) throw Failure(folder + ": contains none of the files of " + mapping.name);
  return files;
}

void read_source(const Mapping& mapping, const std::string& folder, Hashing& hashing, Report& report,
                 const LineCallback& callback) {
  std::set<std::string> found;  // a shared column may occur in only one input
  std::set<std::string> missing;
  std::vector<const InputRule*> remaining;
  for (const auto& input : mapping.inputs) remaining.push_back(&input);
  while (!remaining.empty()) {
    const auto& file = remaining.front()->file;
    const auto paths = find_files(file, folder);
    std::vector<InputReader> readers;
    for (const auto* input : remaining) {
      if (input->file.is_same(file) && !paths.empty()) readers.emplace_back(mapping, *input, folder, report);
    }
    std::erase_if(remaining, [&](const InputRule* input) { return input->file.is_same(file); });
    for (const auto& path : paths) {
      report.begin_input(path);
      const auto rows = open_rows(readers.front().input().file.layout, path);
      for (auto& reader : readers) reader.check_columns(path, rows->columns());
      for (Row row; rows->next(row);) dispatch_row(std::move(row), readers, hashing, report, callback);
    }
    for (const auto& reader : readers) reader.finish(found, missing);
  }
  std::set_difference(missing.begin(), missing.end(), found.begin(), found.end(),
                      std::inserter(report.columns_not_found, report.columns_not_found.end()));
}

}  // namespace tonearm::builder
