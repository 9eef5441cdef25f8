#pragma once
// All documents of a folder, and their statements about a file.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "folder/documents.h"
#include "folder/license_names.h"
#include "folder/walk.h"

namespace tonearm::builder {

/// The license of a file, and its other values from the most specific document.
struct FileStatement {
  NamedLicense license;
  std::string document;  // that states the license; empty: none
  std::map<std::string, std::string, std::less<>> fields;
  bool titles_differ = false;  // `fields` contains the first
};

class Statements {
 public:
  /// Reads all documents. Throws Failure for a document that is not valid or larger than 16 MiB.
  Statements(const std::string& root, const FolderFiles& files);

  /// Returns what the documents state about a file (BUILD-11). If they disagree, the license is ambiguous.
  FileStatement statement_of(const std::string& path, const Statement& tags,
                             const std::vector<LicenseRule>& rules) const;

  /// Returns the paths in documents that are outside of the folder or name no audio file.
  const std::vector<std::string>& ignored_paths() const { return ignored_paths_; }
  const std::vector<std::string>& documents_read() const { return documents_read_; }
  /// Returns the CSV files that are no lists of files, with the reason.
  const std::vector<std::string>& not_understood() const { return not_understood_; }

 private:
  /// The statements that name a file.
  struct NamingStatements {
    std::vector<const Statement*> statements;       // the most specific first
    std::vector<const Statement*> without_license;  // whose license does not count
    bool is_overridden = false;                     // by REUSE.toml; nothing else counts
  };
  void add(const std::string& root, const std::string& name, const FolderFiles& files);
  NamingStatements naming(const std::string& path) const;
  void add_reuse(const std::string& path, NamingStatements& out) const;
  bool has_license_beside(const std::string& path) const;
  std::vector<const Statement*> notices(const std::string& path) const;

  std::vector<LicenseDocument> documents_;
  std::vector<std::string> ignored_paths_;
  std::vector<std::string> documents_read_;
  std::vector<std::string> not_understood_;
};

}  // namespace tonearm::builder
