#pragma once
// Finds the files of a source in its folder, and joins files.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mapping/mapping.h"
#include "report/report.h"

namespace tonearm::builder {

/// Returns the paths of the files in `folder` that match `rule`, sorted; they may be compressed (.gz, .zst). Empty only
/// if the rule is optional. Throws Failure.
std::vector<std::string> find_files(const FileRule& rule, const std::string& folder);

/// Throws Failure if the file lacks `column`, which the mapping names at `where`.
void require_column(const std::vector<std::string>& known, const std::string& column, const std::string& where,
                    const std::string& file);

/// The rows of files to join, indexed by their key column. Malformed rows are counted in the report.
class JoinedFile {
 public:
  /// REQUIRES: the rule outlives it. Throws Failure.
  JoinedFile(const JoinRule& rule, const std::string& folder, const std::vector<std::string>& license_columns,
             Report& report);

  /// Appends the values of the joined row, after values that the row already has under the same name.
  void join(Row& row) const;

  const std::string& prefix() const { return rule_.prefix; }
  /// The path of the last file, for messages.
  const std::string& name() const { return name_; }
  /// The columns of the file, without the prefix; nullopt if each row names its own.
  const std::optional<std::vector<std::string>>& columns() const { return columns_; }
  /// Whether an optional file is absent.
  bool is_absent() const { return name_.empty(); }
  /// Throws Failure if a column of the file at `path` begins with the prefix of the joined columns.
  void reject_prefixed_columns(const std::string& path, const std::optional<std::vector<std::string>>& own) const;

 private:
  void read(const std::string& path, const std::vector<std::string>& license_columns, Report& report);
  void record_conflict(Row& first, const Row& other, const std::vector<std::string>& license_columns) const;

  const JoinRule& rule_;
  std::string name_;
  std::optional<std::vector<std::string>> columns_;
  std::map<std::string, Row, std::less<>> by_key_;
};

}  // namespace tonearm::builder
