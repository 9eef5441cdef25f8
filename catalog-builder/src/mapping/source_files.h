#pragma once
// The files of a source in its folder, and those that are joined to them.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "mapping/mapping.h"
#include "report/report.h"

namespace tonearm::builder {

/// The names of the files in `folder` that `rule` means, sorted; .gz or .zst may follow. None only if the rule is
/// optional. Throws Failure.
std::vector<std::string> find_files(const FileRule& rule, const std::string& folder);

/// Throws Failure if the file has no `column`, which the mapping names at `where`.
void require_column(const std::vector<std::string>& known, const std::string& column, const std::string& where,
                    const std::string& file);

/// Files to be joined, by the value of their column. A row that cannot be read is counted in the report.
class JoinedFile {
 public:
  /// REQUIRES: the rule outlives it. Throws Failure.
  JoinedFile(const JoinRule& rule, const std::string& folder, const std::vector<std::string>& license_columns,
             Report& report);

  /// Values that the row already has under a joined name stay, followed by the joined ones.
  void join(Row& row) const;

  const std::string& prefix() const { return rule_.prefix; }
  /// The path, for messages.
  const std::string& name() const { return name_; }
  /// Those of the file, without the prefix; nothing where only its rows say them.
  const std::optional<std::vector<std::string>>& columns() const { return columns_; }
  /// An optional file that is not there.
  bool is_absent() const { return name_.empty(); }
  /// Throws Failure where a column of the file at `path` has a name that begins as those which are joined.
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
