#pragma once
// The files of a source in its folder, and those that are joined to them.

#include <map>
#include <string>
#include <vector>

#include "mapping.h"
#include "report.h"

namespace tonearm::builder {

/// The files that `rule` names, as they are called in `folder`, by name; .gz or .zst may stand behind. None only where
/// the rule is optional. Throws Failure.
std::vector<std::string> find_files(const FileRule& rule, const std::string& folder);

/// Files to be joined, by the value of their column. A row that cannot be read is counted in the report.
class JoinedFile {
 public:
  /// REQUIRES: the rule outlives it. Throws Failure.
  JoinedFile(const JoinRule& rule, const std::string& folder, const std::vector<std::string>& license_columns,
             Report& report);

  void join(Row& row) const;

 private:
  void read(const std::string& path, const std::vector<std::string>& license_columns, Report& report);
  void keep_disagreement(Row& first, const Row& other, const std::vector<std::string>& license_columns) const;

  const JoinRule& rule_;
  std::map<std::string, Row, std::less<>> by_key_;
};

}  // namespace tonearm::builder
