#pragma once
// Reads the documents that state licenses: a function for each format. `Statements` decides which of them apply.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

namespace tonearm::builder {

/// What a document states about files: license texts verbatim, and other values by canonical key ("artist").
struct Statement {
  std::string document;    // relative to the folder, or "tags"
  std::uint64_t line = 0;  // 0: the whole document
  std::vector<std::string> licenses;
  std::string prose;  // other text about licenses; empty: none
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
  std::string folder;  // the folder of its files, with a trailing `/`
  std::vector<DocumentRule> rules;
  std::unordered_map<std::string, std::vector<std::size_t>> by_path;  // rules of list, attributions and beside
  std::vector<std::string> rejected;                                  // paths outside of the folder
};

/// Each function throws Failure with file and line if the document is not valid. `name` is the path of the document in
/// the folder `root`. Returns a sentence that names the columns for a CSV file without a column of files or of
/// licenses.
std::variant<LicenseDocument, std::string> read_list(const std::string& root, const std::string& name);
LicenseDocument read_attributions(const std::string& text, const std::string& name);
LicenseDocument read_reuse(const std::string& text, const std::string& name);
LicenseDocument read_debian(const std::string& text, const std::string& name);
/// Reads a LICENSE file.
LicenseDocument read_notice_file(const std::string& text, const std::string& name);
/// Reads the text beside an audio file: FILE.license or a `.txt`. Returns nothing for a `.txt` that does not mention
/// licenses.
std::optional<LicenseDocument> read_beside(const std::string& text, const std::string& name, const std::string& audio);

/// Returns the normalized path of `name` in the folder, or nothing if it is absolute or contains `..`, a backslash or
/// NUL.
std::optional<std::string> path_within(const std::string& folder, std::string_view name);

/// Returns "Ann Lee" for "2018-2021, Ann Lee <ann@example.org>".
std::string holder_of(const std::string& copyright);

}  // namespace tonearm::builder
