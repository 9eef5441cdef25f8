#pragma once
// Reads the documents that state licenses, a function for each format. None of them decides anything: `Statements`
// does.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tonearm::builder {

/// What a document says of a file: license texts as they stand, and other values by their canonical key ("artist").
struct Statement {
  std::string document;    // relative to the folder, or "tags"
  std::uint64_t line = 0;  // 0: the whole document
  std::vector<std::string> licenses;
  std::string prose;  // what a text says of licenses besides them; empty: nothing
  std::map<std::string, std::string, std::less<>> fields;
};

enum class DocumentForm : std::uint8_t { list, attributions, reuse, debian, notice, beside, reuse_beside };
enum class Precedence : std::uint8_t { closest, aggregate, override_all };  // of REUSE.toml

struct DocumentRule {
  Statement statement;
  std::vector<std::string> patterns;  // of REUSE.toml and `copyright`, relative to the document's folder
  Precedence precedence = Precedence::closest;
};

struct LicenseDocument {
  DocumentForm form = DocumentForm::notice;
  std::string folder;  // whose files it is about, with its `/`
  std::vector<DocumentRule> rules;
  std::unordered_map<std::string, std::vector<std::size_t>> by_path;  // rules of list, attributions and beside
  std::vector<std::string> refused;                                   // paths that lead out of the folder
};

/// Each throws Failure, with file and line, for a document that cannot be read as its format. `name` is the document's
/// path in the folder `root`. A CSV file without a column of files and one of licenses is no list: nothing.
std::optional<LicenseDocument> read_list(const std::string& root, const std::string& name);
LicenseDocument read_attributions(const std::string& text, const std::string& name);
LicenseDocument read_reuse(const std::string& text, const std::string& name);
LicenseDocument read_debian(const std::string& text, const std::string& name);
/// A LICENSE file.
LicenseDocument read_notice_file(const std::string& text, const std::string& name);
/// A text beside one file: FILE.license, or a `.txt`, which may be a mere description: nothing where it says nothing
/// about licenses.
std::optional<LicenseDocument> read_beside(const std::string& text, const std::string& name, const std::string& audio);

/// The path that `name` in the folder means, without `.` and empty parts; nothing for an absolute one, or one with
/// `..`, a backslash or NUL.
std::optional<std::string> path_within(const std::string& folder, std::string_view name);

/// "2018-2021, Ann Lee <ann@example.org>" is "Ann Lee".
std::string holder_of(const std::string& copyright);

}  // namespace tonearm::builder
