#include "mapping/source_files.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "text/unicode.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

constexpr std::array<std::string_view, 3> kExtensions{"", ".gz", ".zst"};

/// Whether the name matches the pattern, where `*` matches any text.
bool matches(std::string_view name, std::string_view pattern) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  const auto begin = pattern.substr(0, star);
  const auto end = pattern.substr(star + 1);
  return name.size() >= begin.size() + end.size() && name.starts_with(begin) && name.ends_with(end);
}

/// Returns the files that match the name of `path`; empty only if they are optional.
std::vector<std::string> matching_files(const std::filesystem::path& path, bool optional) {
  const auto pattern = path.filename().string();
  std::vector<std::string> found;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(path.parent_path(), error), end; !error && entry != end;
       entry.increment(error)) {
    const auto name = entry->path().filename().string();
    const bool is_match = std::any_of(kExtensions.begin(), kExtensions.end(), [&](std::string_view ending) {
      return matches(name, pattern + std::string(ending));
    });
    if (is_match) found.push_back(entry->path().string());
  }
  std::sort(found.begin(), found.end());
  if (found.size() > 1 && pattern.find('*') == std::string::npos)
    found.resize(1);  // the uncompressed file before a compressed copy
  const bool is_unreadable = error && error != std::errc::no_such_file_or_directory;
  if (is_unreadable || (found.empty() && !optional)) {
    throw Failure(path.string() +
                  ": cannot be opened: " + (error ? error.message() : "there is no such file (nor with .gz or .zst)"));
  }
  return found;
}

}  // namespace

std::vector<std::string> find_files(const FileRule& rule, const std::string& folder) {
  std::vector<std::string> found;
  for (const auto& name : rule.files) {
    const auto more = matching_files(std::filesystem::path(folder) / name, rule.optional);
    for (const auto& file : more) {
      if (std::find(found.begin(), found.end(), file) == found.end()) found.push_back(file);
    }
  }
  return found;
}

void require_column(const std::vector<std::string>& known, const std::string& column, const std::string& where,
                    const std::string& file) {
  if (std::find(known.begin(), known.end(), column) != known.end()) return;
  throw Failure(where + " names the column " + column + ", which " + file +
                " does not have; it has: " + column_names(known));
}

JoinedFile::JoinedFile(const JoinRule& rule, const std::string& folder, const std::vector<std::string>& license_columns,
                       Report& report)
    : rule_(rule) {
  for (const auto& path : find_files(rule.file, folder)) read(path, license_columns, report);
}

void JoinedFile::read(const std::string& path, const std::vector<std::string>& license_columns, Report& report) {
  const auto rows = open_rows(rule_.file.layout, path);
  name_ = path;
  columns_ = rows->columns();
  if (columns_) require_column(*columns_, rule_.to, rule_.where, path);
  for (Row row; rows->next(row);) {
    if (row.broken) {
      report.reject(path, row.number, {Reason::row_broken, *row.broken, {}});
      continue;
    }
    auto key = row.first(rule_.to);
    if (key.empty()) continue;  // no row can match
    if (const auto first = by_key_.find(key); first != by_key_.end()) {
      record_conflict(first->second, row, license_columns);
    } else {
      by_key_.emplace(std::move(key), std::move(row));
    }
  }
}

void JoinedFile::join(Row& row) const {
  const auto found = by_key_.find(row.first(rule_.on));
  if (found == by_key_.end()) return;
  for (const auto& [column, values] : found->second.cells) {
    auto& all = row.cells[rule_.prefix + column];
    all.insert(all.end(), values.begin(), values.end());
  }
}

void JoinedFile::reject_prefixed_columns(const std::string& path,
                                         const std::optional<std::vector<std::string>>& own) const {
  if (!own) return;
  for (const auto& column : *own) {
    if (!column.starts_with(rule_.prefix)) continue;
    throw Failure(path + ": its column " + text::quotable(column) + " begins with the prefix of a join, " +
                  rule_.prefix + "; another is needed");
  }
}

/// The first row of a key counts. If another differs in a license column, both values are kept, so that rows joined to
/// them state several licenses (LINE-8).
void JoinedFile::record_conflict(Row& first, const Row& other, const std::vector<std::string>& license_columns) const {
  for (const auto& column : license_columns) {
    if (!column.starts_with(rule_.prefix)) continue;
    const auto name = column.substr(rule_.prefix.size());
    if (first.all(name) != other.all(name)) first.cells[name] = {first.first(name), other.first(name)};
  }
}

}  // namespace tonearm::builder
