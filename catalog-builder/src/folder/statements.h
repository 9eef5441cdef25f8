#pragma once
// All documents of a folder, and what they state about a file.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "folder/documents.h"
#include "folder/license_names.h"
#include "folder/walk.h"

namespace tonearm::builder {

/// The license of one file, and every other value that is stated, the more specific document first.
struct FileStatement {
  NamedLicense license;
  std::string document;  // that states the license; empty: none does
  std::map<std::string, std::string, std::less<>> fields;
  bool titles_differ = false;  // the first stands in `fields`
};

class Statements {
 public:
  /// Reads all documents. Throws Failure for one that is not what its name says, or larger than 16 MiB.
  Statements(const std::string& root, const FolderFiles& files);

  /// BUILD-11. All that name a file must agree; where they do not, the license is ambiguous.
  FileStatement of(const std::string& path, const Statement& tags, const std::vector<LicenseRule>& rules) const;

  /// Paths in documents that lead out of the folder, or name no audio file, and are ignored.
  const std::vector<std::string>& ignored() const { return ignored_; }
  const std::vector<std::string>& read() const { return read_; }

 private:
  /// What names one file.
  struct Named {
    std::vector<const Statement*> statements;       // the most specific first
    std::vector<const Statement*> without_license;  // their license does not count
    bool is_overridden = false;                     // by REUSE.toml: nothing else counts
  };
  void add(const std::string& root, const std::string& name, const FolderFiles& files);
  Named naming(const std::string& path) const;
  void add_reuse(const std::string& path, Named& out) const;
  bool has_license_beside(const std::string& path) const;
  std::vector<const Statement*> notices(const std::string& path) const;

  std::vector<LicenseDocument> documents_;
  std::vector<std::string> ignored_;
  std::vector<std::string> read_;
};

}  // namespace tonearm::builder
