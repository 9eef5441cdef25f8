#include "folder/statements.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "canonical/check.h"
#include "canonical/license_statement.h"
#include "folder/glob.h"
#include "input/byte_source.h"
#include "runtime/failure.h"
#include "tonearm/ascii.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kDocumentBytesMax = std::size_t{16} << 20U;

std::string read_document(const std::string& root, const std::string& name) {
  const auto source = open_bytes(root + "/" + name);
  std::string text;
  std::array<char, 65536> part{};
  for (std::size_t read = source->read(part); read != 0; read = source->read(part)) {
    text.append(part.data(), read);
    if (text.size() > kDocumentBytesMax) throw Failure(name + ": is larger than 16 MiB");
  }
  return text;
}

/// "rain.ogg" for "rain.ogg.license" and "rain.ogg.txt", and for "rain.txt" where one audio file has that name.
std::optional<std::string> audio_beside(const std::string& name, const FolderFiles& files) {
  const auto stem = name.substr(0, name.rfind('.'));
  if (std::binary_search(files.audio.begin(), files.audio.end(), stem)) return stem;
  if (ending_of(name) != "txt") return std::nullopt;
  std::optional<std::string> found;
  for (auto at = std::lower_bound(files.audio.begin(), files.audio.end(), stem + ".");
       at != files.audio.end() && at->starts_with(stem + "."); ++at) {
    if (at->find_first_of("./", stem.size() + 1) != std::string::npos) continue;
    if (found) return std::nullopt;
    found = *at;
  }
  return found;
}

NamedLicense read_one(const Statement& statement, const std::string& text, const std::vector<LicenseRule>& rules) {
  return statement.is_notice ? read_notice(text, rules) : read_license(text, rules);
}

std::string where(const Statement& statement) {
  return statement.line == 0 ? statement.document : statement.document + ":" + std::to_string(statement.line);
}

/// Whether a license of the statement is one that Creative Commons or OpenGameArt wrote; a software license in a
/// folder's LICENSE says nothing against what names the file.
bool contradicts(const NamedLicense& one, const NamedLicense& other) {
  if (!one.id.empty() && !other.id.empty()) return !say_the_same(one.id, other.id);
  return one.id != other.id;
}

}  // namespace

Statements::Statements(const std::string& root, const FolderFiles& files) {
  for (const auto& name : files.documents) add(root, name, files);
  for (const auto& document : documents_) {
    for (const auto& path : document.refused) ignored_.push_back(path);
    for (const auto& [path, rules] : document.by_path) {
      if (!std::binary_search(files.audio.begin(), files.audio.end(), path)) ignored_.push_back(path);
    }
  }
  std::sort(ignored_.begin(), ignored_.end());
}

void Statements::add(const std::string& root, const std::string& name, const FolderFiles& files) {
  const auto base = ascii::to_lower(name.substr(name.rfind('/') + 1));
  const auto ending = ending_of(base);
  const auto text = [&] { return read_document(root, name); };
  if (base == "tonearm.toml") return;
  if (ending == "csv") {
    auto list = read_list(root, name);
    if (!list) return;
    documents_.push_back(std::move(*list));
  } else if (base.starts_with("attributions.")) {
    documents_.push_back(read_attributions(text(), name));
  } else if (base == "reuse.toml") {
    documents_.push_back(read_reuse(text(), name));
  } else if (base == "copyright" || name == ".reuse/dep5") {
    documents_.push_back(read_debian(text(), name));
  } else if (base.starts_with("licen") || base == "copying") {
    documents_.push_back(read_notice_file(text(), name));
  } else if (const auto audio = audio_beside(name, files)) {
    documents_.push_back(read_beside(text(), name, *audio));
  } else {
    return;
  }
  read_.push_back(name);
}

/// REUSE 3.3: of one file the last annotation; the topmost that overrides all, else the closest that states a license.
void Statements::add_reuse(const std::string& path, std::vector<const Statement*>& out, bool& is_overridden) const {
  std::vector<const DocumentRule*> rules;  // from the outermost folder to the closest
  for (const auto& document : documents_) {
    if (document.form != DocumentForm::reuse || !path.starts_with(document.folder)) continue;
    const auto inner = std::string_view(path).substr(document.folder.size());
    const auto fits = [&](const DocumentRule& rule) {
      return std::any_of(rule.patterns.begin(), rule.patterns.end(),
                         [&](const auto& pattern) { return fits_reuse(pattern, inner); });
    };
    const auto last = std::find_if(document.rules.rbegin(), document.rules.rend(), fits);
    if (last != document.rules.rend()) rules.push_back(&*last);
  }
  std::stable_sort(rules.begin(), rules.end(), [](const auto* a, const auto* b) {
    return folder_of(a->statement.document).size() < folder_of(b->statement.document).size();
  });
  const auto over = std::find_if(rules.begin(), rules.end(),
                                 [](const auto* rule) { return rule->precedence == Precedence::override_all; });
  if (over != rules.end()) {
    is_overridden = true;
    out.push_back(&(*over)->statement);
    return;
  }
  bool has_closest = false;
  for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
    if ((*rule)->precedence == Precedence::aggregate) {
      out.push_back(&(*rule)->statement);
    } else if (!has_closest) {
      out.push_back(&(*rule)->statement);
      has_closest = !(*rule)->statement.licenses.empty();
    }
  }
}

std::vector<const Statement*> Statements::naming(const std::string& path, bool& is_overridden) const {
  std::vector<const Statement*> result;
  add_reuse(path, result, is_overridden);
  if (is_overridden) return result;
  for (const auto form : {DocumentForm::debian, DocumentForm::attributions, DocumentForm::list, DocumentForm::beside}) {
    for (const auto& document : documents_) {
      if (document.form != form) continue;
      if (form == DocumentForm::debian) {
        if (!path.starts_with(document.folder)) continue;
        const auto inner = std::string_view(path).substr(document.folder.size());
        const auto last = std::find_if(document.rules.rbegin(), document.rules.rend(), [&](const DocumentRule& rule) {
          return std::any_of(rule.patterns.begin(), rule.patterns.end(),
                             [&](const auto& pattern) { return fits_debian(pattern, inner); });
        });
        if (last != document.rules.rend()) result.push_back(&last->statement);
      } else if (const auto found = document.by_path.find(path); found != document.by_path.end()) {
        for (const auto rule : found->second) result.push_back(&document.rules[rule].statement);
      }
    }
  }
  std::reverse(result.begin(), result.end());  // the most specific first
  return result;
}

FileStatement Statements::of(const std::string& path, const Statement& tags,
                             const std::vector<LicenseRule>& rules) const {
  FileStatement result;
  bool is_overridden = false;
  auto statements = naming(path, is_overridden);
  if (!is_overridden) statements.push_back(&tags);
  bool is_named = false;
  std::string first;
  const auto take = [&](const Statement& statement, const std::string& text) {
    auto license = read_one(statement, text, rules);
    if (!is_named) {
      result.license = std::move(license);
      first = where(statement);
      result.document = statement.document;
      is_named = true;
      return;
    }
    if (contradicts(result.license, license)) {
      const auto shown = [](const NamedLicense& one) { return one.id.empty() ? one.message : one.id; };
      result.license = {{},
                        Reason::license_ambiguous,
                        first + " states " + shown(result.license) + ", " + where(statement) + " " + shown(license)};
    } else if (lacks_version(result.license.id)) {
      result.license = std::move(license);
    }
  };
  for (const auto* statement : statements) {
    for (const auto& text : statement->licenses) take(*statement, text);
  }
  // The notice of the closest folder is what files have that nothing names. One that is understood contradicts too.
  const LicenseDocument* closest = nullptr;
  for (const auto& document : documents_) {
    if (document.form != DocumentForm::notice || !path.starts_with(document.folder)) continue;
    if (closest == nullptr || document.folder.size() >= closest->folder.size()) closest = &document;
  }
  for (const auto& document : documents_) {
    if (is_overridden || closest == nullptr || document.form != DocumentForm::notice ||
        document.folder != closest->folder)
      continue;
    const auto& statement = document.rules.front().statement;
    for (const auto& text : statement.licenses) {
      const auto license = read_one(statement, text, rules);
      if (is_named && license.id.empty() && license.reason != Reason::no_derivatives) continue;
      take(statement, text);
    }
    statements.push_back(&statement);
  }
  for (const auto* statement : statements) {
    for (const auto& [key, value] : statement->fields) result.fields.emplace(key, value);
  }
  return result;
}

}  // namespace tonearm::builder
