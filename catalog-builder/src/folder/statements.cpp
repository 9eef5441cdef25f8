#include "folder/statements.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "canonical/check.h"
#include "canonical/license_statement.h"
#include "files/glob.h"
#include "input/byte_source.h"
#include "tonearm/ascii.h"
#include "tonearm/result.h"

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

std::string where(const Statement& statement) {
  return statement.line == 0 ? statement.document : statement.document + ":" + std::to_string(statement.line);
}

/// LICENSE, with the endings that people give it; "license_notes.txt" is no license.
bool is_notice_name(std::string_view base) {
  for (const std::string_view ending : {".txt", ".md"}) {
    if (base.ends_with(ending)) base.remove_suffix(ending.size());
  }
  return base == "license" || base == "licence" || base == "copying";
}

/// Puts together what all statements say of the license of one file.
class Agreement {
 public:
  explicit Agreement(const std::vector<LicenseRule>& rules) : rules_(rules) {}

  void take(const Statement& statement) {
    for (const auto& text : statement.licenses) take(statement, read_license(text, rules_));
    if (!statement.prose.empty()) take(statement, read_notice(statement.prose, rules_));
  }
  /// The LICENSE of a folder decides for what nothing names. Against a file that is named stands only a license of
  /// Creative Commons or OpenGameArt, of any version: the license of a program says nothing about its sounds.
  void take_notice(const Statement& statement) {
    const bool was_named = is_named();
    const auto add = [&](NamedLicense license) {
      if (!was_named || may_contradict(license)) take(statement, std::move(license));
    };
    for (const auto& text : statement.licenses) add(read_license(text, rules_));
    if (!statement.prose.empty()) add(read_notice(statement.prose, rules_));
  }

  bool is_named() const { return !document_.empty(); }
  const NamedLicense& license() const { return license_; }
  const std::string& document() const { return document_; }

 private:
  static bool may_contradict(const NamedLicense& license) {
    return !license.id.empty() || license.reason == Reason::no_derivatives ||
           license.reason == Reason::license_ported || license.reason == Reason::license_old_version ||
           license.reason == Reason::sampling;
  }
  static bool differ(const NamedLicense& one, const NamedLicense& other) {
    if (!one.id.empty() && !other.id.empty()) return !say_the_same(one.id, other.id);
    return one.id != other.id;
  }
  static const std::string& shown(const NamedLicense& license) {
    return license.id.empty() ? license.message : license.id;
  }

  void take(const Statement& statement, NamedLicense license) {
    if (!is_named()) {
      license_ = std::move(license);
      first_ = where(statement);
      document_ = statement.document;
    } else if (differ(license_, license)) {
      license_ = {{},
                  Reason::license_ambiguous,
                  first_ + " states " + shown(license_) + ", " + where(statement) + " " + shown(license)};
    } else if (lacks_version(license_.id)) {
      license_ = std::move(license);
    }
  }

  const std::vector<LicenseRule>& rules_;
  NamedLicense license_;
  std::string first_;     // where the first statement stands
  std::string document_;  // and its document
};

}  // namespace

Statements::Statements(const std::string& root, const FolderFiles& files) {
  for (const auto& name : files.documents) add(root, name, files);
  // From the outermost folder to the innermost.
  std::stable_sort(documents_.begin(), documents_.end(),
                   [](const auto& a, const auto& b) { return a.folder.size() < b.folder.size(); });
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
  } else if (is_notice_name(base)) {
    documents_.push_back(read_notice_file(text(), name));
  } else if (const auto audio = audio_beside(name, files)) {
    auto beside = read_beside(text(), name, *audio);
    if (!beside) return;
    documents_.push_back(std::move(*beside));
  } else {
    return;
  }
  read_.push_back(name);
}

/// REUSE 3.3: of one file the last annotation; the topmost that overrides all, else the closest that states a license,
/// unless the file has a FILE.license, and those that add to it.
void Statements::add_reuse(const std::string& path, Named& out) const {
  std::vector<const DocumentRule*> rules;  // from the outermost folder to the closest
  for (const auto& document : documents_) {
    if (document.form != DocumentForm::reuse || !path.starts_with(document.folder)) continue;
    const auto inner = std::string_view(path).substr(document.folder.size());
    const auto fits = [&](const DocumentRule& rule) {
      return std::any_of(rule.patterns.begin(), rule.patterns.end(),
                         [&](const auto& pattern) { return matches_reuse(pattern, inner); });
    };
    const auto last = std::find_if(document.rules.rbegin(), document.rules.rend(), fits);
    if (last != document.rules.rend()) rules.push_back(&*last);
  }
  const auto over = std::find_if(rules.begin(), rules.end(),
                                 [](const auto* rule) { return rule->precedence == Precedence::override_all; });
  if (over != rules.end()) {
    out.is_overridden = true;
    out.statements.push_back(&(*over)->statement);
    return;
  }
  bool has_closest = has_license_beside(path);
  for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
    const auto& statement = (*rule)->statement;
    if ((*rule)->precedence == Precedence::aggregate) {
      out.statements.push_back(&statement);
    } else if (has_closest) {
      out.without_license.push_back(&statement);
    } else {
      out.statements.push_back(&statement);
      has_closest = !statement.licenses.empty();
    }
  }
}

bool Statements::has_license_beside(const std::string& path) const {
  return std::any_of(documents_.begin(), documents_.end(), [&](const auto& document) {
    if (document.form != DocumentForm::reuse_beside || !document.by_path.contains(path)) return false;
    const auto& statement = document.rules.front().statement;
    return !statement.licenses.empty() || !statement.prose.empty();
  });
}

Statements::Named Statements::naming(const std::string& path) const {
  Named result;
  add_reuse(path, result);
  if (result.is_overridden) return result;
  for (const auto form : {DocumentForm::debian, DocumentForm::attributions, DocumentForm::list, DocumentForm::beside,
                          DocumentForm::reuse_beside}) {
    for (const auto& document : documents_) {
      if (document.form != form) continue;
      if (form == DocumentForm::debian) {
        if (!path.starts_with(document.folder)) continue;
        const auto inner = std::string_view(path).substr(document.folder.size());
        const auto last = std::find_if(document.rules.rbegin(), document.rules.rend(), [&](const DocumentRule& rule) {
          return std::any_of(rule.patterns.begin(), rule.patterns.end(),
                             [&](const auto& pattern) { return matches_debian(pattern, inner); });
        });
        if (last != document.rules.rend()) result.statements.push_back(&last->statement);
      } else if (const auto found = document.by_path.find(path); found != document.by_path.end()) {
        for (const auto rule : found->second) result.statements.push_back(&document.rules[rule].statement);
      }
    }
  }
  std::reverse(result.statements.begin(), result.statements.end());  // the most specific first
  return result;
}

/// Those of the closest folder that has any.
std::vector<const Statement*> Statements::notices(const std::string& path) const {
  const LicenseDocument* closest = nullptr;
  std::vector<const Statement*> result;
  for (const auto& document : documents_) {
    if (document.form != DocumentForm::notice || !path.starts_with(document.folder)) continue;
    if (closest == nullptr || document.folder != closest->folder) result.clear();
    closest = &document;
    result.push_back(&document.rules.front().statement);
  }
  return result;
}

FileStatement Statements::of(const std::string& path, const Statement& tags,
                             const std::vector<LicenseRule>& rules) const {
  auto [statements, without_license, is_overridden] = naming(path);
  if (!is_overridden) statements.push_back(&tags);
  Agreement agreement(rules);
  for (const auto* statement : statements) agreement.take(*statement);
  statements.insert(statements.end(), without_license.begin(), without_license.end());
  if (!is_overridden) {
    for (const auto* notice : notices(path)) {
      agreement.take_notice(*notice);
      statements.push_back(notice);
    }
  }
  FileStatement result;
  result.license = agreement.license();
  result.document = agreement.document();
  for (const auto* statement : statements) {
    for (const auto& [key, value] : statement->fields) {
      const auto [stated, is_new] = result.fields.emplace(key, value);
      if (!is_new && key == "title" && ascii::to_lower(stated->second) != ascii::to_lower(value)) {
        result.titles_differ = true;
      }
    }
  }
  return result;
}

}  // namespace tonearm::builder
