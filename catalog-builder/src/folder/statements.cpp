#include "folder/statements.h"

#include <algorithm>

#include "canonical/check.h"
#include "canonical/license_statement.h"
#include "files/file_name.h"
#include "files/glob.h"
#include "input/text_file.h"
#include "tonearm/ascii.h"

namespace tonearm::builder {
namespace {

/// Returns "rain.ogg" for "rain.ogg.license" and "rain.ogg.txt", and for "rain.txt" if exactly one audio file matches.
std::optional<std::string> audio_beside(const std::string& name, const FolderFiles& files) {
  const auto stem = name.substr(0, name.rfind('.'));
  if (std::binary_search(files.audio.begin(), files.audio.end(), stem)) return stem;
  if (native::extension_of(name) != "txt") return std::nullopt;
  std::optional<std::string> found;
  for (auto at = std::lower_bound(files.audio.begin(), files.audio.end(), stem + ".");
       at != files.audio.end() && at->starts_with(stem + "."); ++at) {
    if (at->find_first_of("./", stem.size() + 1) != std::string::npos) continue;
    if (found) return std::nullopt;
    found = *at;
  }
  return found;
}

std::string position_of(const Statement& statement) {
  return statement.line == 0 ? statement.document : statement.document + ":" + std::to_string(statement.line);
}

/// Accepts LICENSE with common extensions, but not "license_notes.txt".
bool is_notice_name(std::string_view base) {
  for (const std::string_view ending : {".txt", ".md"}) {
    if (base.ends_with(ending)) base.remove_suffix(ending.size());
  }
  return base == "license" || base == "licence" || base == "copying";
}

/// Combines all statements about the license of a file.
class LicenseAgreement {
 public:
  explicit LicenseAgreement(const std::vector<LicenseRule>& rules) : rules_(rules) {}

  void add(const Statement& statement) {
    for (const auto& text : statement.licenses) add(statement, read_license(text, rules_));
    if (!statement.prose.empty()) add(statement, read_notice(statement.prose, rules_));
  }
  /// Adds the LICENSE of a folder, which applies to files that no document names. It contradicts the license of a named
  /// file only if it is a license of Creative Commons or OpenGameArt of any version: the license of a program does not
  /// cover its sounds.
  void add_notice(const Statement& statement) {
    const bool was_named = is_named();
    const auto add_license = [&](NamedLicense license) {
      if (!was_named || may_contradict(license)) add(statement, std::move(license));
    };
    for (const auto& text : statement.licenses) add_license(read_license(text, rules_));
    if (!statement.prose.empty()) add_license(read_notice(statement.prose, rules_));
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
    if (!one.id.empty() && !other.id.empty()) return !may_be_same_license(one.id, other.id);
    return one.id != other.id;
  }
  static const std::string& shown(const NamedLicense& license) {
    return license.id.empty() ? license.message : license.id;
  }

  void add(const Statement& statement, NamedLicense license) {
    if (!is_named()) {
      license_ = std::move(license);
      first_ = position_of(statement);
      document_ = statement.document;
    } else if (differ(license_, license)) {
      license_ = {{},
                  Reason::license_ambiguous,
                  first_ + " states " + shown(license_) + ", " + position_of(statement) + " " + shown(license)};
    } else if (lacks_version(license_.id)) {
      license_ = std::move(license);
    }
  }

  const std::vector<LicenseRule>& rules_;
  NamedLicense license_;
  std::string first_;     // position of the first statement
  std::string document_;  // of the first statement
};

}  // namespace

Statements::Statements(const std::string& root, const FolderFiles& files) {
  for (const auto& name : files.documents) add(root, name, files);
  // From the outermost folder to the innermost.
  std::stable_sort(documents_.begin(), documents_.end(),
                   [](const auto& a, const auto& b) { return a.folder.size() < b.folder.size(); });
  for (const auto& document : documents_) {
    for (const auto& path : document.rejected) ignored_paths_.push_back(path);
    for (const auto& [path, rules] : document.by_path) {
      if (!std::binary_search(files.audio.begin(), files.audio.end(), path)) ignored_paths_.push_back(path);
    }
  }
  std::sort(ignored_paths_.begin(), ignored_paths_.end());
}

void Statements::add(const std::string& root, const std::string& name, const FolderFiles& files) {
  const auto base = ascii::to_lower(name.substr(name.rfind('/') + 1));
  const auto extension = native::extension_of(base);
  const auto text = [&] { return read_text_file(root + "/" + name); };
  if (base == "tonearm.toml") return;
  if (extension == "csv") {
    auto list = read_list(root, name);
    if (const auto* reason = std::get_if<std::string>(&list)) {
      not_understood_.push_back(name + ": " + *reason);
      return;
    }
    documents_.push_back(std::move(std::get<LicenseDocument>(list)));
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
  documents_read_.push_back(name);
}

/// Applies REUSE 3.3: in each REUSE.toml the last matching annotation counts. If some of these override, only
/// the topmost of them counts; otherwise the closest one that states a license, unless the file has a FILE.license, and
/// those that aggregate.
void Statements::add_reuse(const std::string& path, NamingStatements& out) const {
  std::vector<const DocumentRule*> rules;  // from the outermost folder to the closest
  for (const auto& document : documents_) {
    if (document.form != DocumentForm::reuse || !path.starts_with(document.folder)) continue;
    const auto inner = std::string_view(path).substr(document.folder.size());
    const auto fits = [&](const DocumentRule& rule) {
      return std::any_of(rule.patterns.begin(), rule.patterns.end(),
                         [&](const auto& pattern) { return native::matches_reuse(pattern, inner); });
    };
    const auto last = std::find_if(document.rules.rbegin(), document.rules.rend(), fits);
    if (last != document.rules.rend()) rules.push_back(&*last);
  }
  const auto overriding = std::find_if(rules.begin(), rules.end(),
                                       [](const auto* rule) { return rule->precedence == Precedence::override_all; });
  if (overriding != rules.end()) {
    out.is_overridden = true;
    out.statements.push_back(&(*overriding)->statement);
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

Statements::NamingStatements Statements::naming(const std::string& path) const {
  NamingStatements result;
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
                             [&](const auto& pattern) { return native::matches_debian(pattern, inner); });
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

/// Returns the notices of the closest folder that has any.
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

FileStatement Statements::statement_of(const std::string& path, const Statement& tags,
                                       const std::vector<LicenseRule>& rules) const {
  auto [statements, without_license, is_overridden] = naming(path);
  if (!is_overridden) statements.push_back(&tags);
  LicenseAgreement agreement(rules);
  for (const auto* statement : statements) agreement.add(*statement);
  statements.insert(statements.end(), without_license.begin(), without_license.end());
  if (!is_overridden) {
    for (const auto* notice : notices(path)) {
      agreement.add_notice(*notice);
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
