#include "folder/documents.h"

#include <algorithm>
#include <array>
#include <boost/regex.hpp>
#include <sstream>

#include "files/file_name.h"
#include "files/toml_table.h"
#include "folder/legal_code.h"
#include "folder/license_names.h"
#include "folder/walk.h"
#include "input/rows.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

struct ColumnName {
  std::string_view key;
  std::string_view name;
};
/// The accepted column names of a list, in lower case. The first column of a key counts.
constexpr std::array<ColumnName, 34> kColumns{{{"file", "file"},
                                               {"file", "filename"},
                                               {"file", "file_name"},
                                               {"file", "path"},
                                               {"license", "license"},
                                               {"license", "licence"},
                                               {"license", "license_url"},
                                               {"license", "licence_url"},
                                               {"license", "spdx"},
                                               {"title", "title"},
                                               {"title", "name"},
                                               {"artist", "artist"},
                                               {"artist", "author"},
                                               {"artist", "creator"},
                                               {"source_page", "source"},
                                               {"source_page", "source_url"},
                                               {"source_page", "source_page"},
                                               {"source_page", "url"},
                                               {"source_page", "page"},
                                               {"source_page", "link"},
                                               {"kind", "kind"},
                                               {"kind", "type"},
                                               {"bpm", "bpm"},
                                               {"bpm", "tempo"},
                                               {"genre", "genre"},
                                               {"tags", "tags"},
                                               {"tags", "keywords"},
                                               {"description", "description"},
                                               {"description", "comment"},
                                               {"category", "category"},
                                               {"energy", "energy"},
                                               {"tone", "tone"},
                                               {"loop", "loop"},
                                               {"quality", "quality"}}};

std::string column_name(std::string_view text) {
  auto name = ascii::to_lower(text::trimmed(text));
  std::replace(name.begin(), name.end(), ' ', '_');
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

/// Maps columns of the file to keys.
std::map<std::string, std::string, std::less<>> columns_of(const std::vector<std::string>& header) {
  std::map<std::string, std::string, std::less<>> result;
  for (const auto& column : header) {
    if (!text::is_utf8(column)) continue;
    const auto name = column_name(column);
    const auto* found =
        std::find_if(kColumns.begin(), kColumns.end(), [&](const auto& row) { return row.name == name; });
    if (found == kColumns.end()) continue;
    const bool is_used =
        std::any_of(result.begin(), result.end(), [&](const auto& pair) { return pair.second == found->key; });
    if (!is_used || found->key == "license") result.emplace(column, found->key);
  }
  return result;
}

/// Returns which column a list lacks, by what names, and which it has.
std::string missing_column(std::string_view key, const std::vector<std::string>& header) {
  std::string accepted;
  for (const auto& row : kColumns) {
    if (row.key == key) accepted += (accepted.empty() ? "" : ", ") + std::string(row.name);
  }
  return "is no list of files, because it lacks the column " + std::string(key) + " (" + accepted +
         "); it has: " + column_names(header);
}

void add_rule(LicenseDocument& document, const std::string& file, std::size_t rule) {
  const auto path = path_within(document.folder, file);
  path ? document.by_path[*path].push_back(rule) : document.rejected.push_back(file);
}

[[noreturn]] void fail(const std::string& name, std::uint64_t line, const std::string& what) {
  throw Failure(name + (line == 0 ? std::string() : ":" + std::to_string(line)) + ": " + what);
}

void require_text(const std::string& text, const std::string& name) {
  if (!text::is_utf8(text)) fail(name, 0, "is not UTF-8");
  if (text.find('\0') != std::string::npos) fail(name, 0, "contains NUL");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

/// Parses `Key: value` lines of a notice. Other lines are prose.
class NoticeParser {
 public:
  explicit NoticeParser(const std::string& name) { statement_.document = name; }

  void add_line(const std::string& line) {
    static const boost::regex kLine(
        R"(^[\s#/*;]*(SPDX-License-Identifier|SPDX-FileCopyrightText|license|licence|title|artist|author|creator|source|url|copyright)\s*[:=]\s*(.*?)\s*$)",
        boost::regex::perl | boost::regex::icase);
    static const boost::regex kCopyright(R"(^[\s#/*;]*(?:copyright\s|\(c\)\s|©)\s*(.*?)\s*$)",
                                         boost::regex::perl | boost::regex::icase);
    boost::smatch match;
    if (boost::regex_match(line, match, kLine)) {
      if (const auto value = match[2].str(); !value.empty()) add_value(ascii::to_lower(match[1].str()), value);
    } else if (boost::regex_match(line, match, kCopyright)) {
      add_holder(match[1].str());
    } else {
      prose_ += line + "\n";
    }
  }

  /// Returns the statement. Prose counts if it mentions rights, or if the file is about licenses and states none.
  Statement finish(bool is_about_licenses) {
    const bool is_alone = statement_.licenses.empty() && is_about_licenses && !text::trimmed(prose_).empty();
    if (is_alone || mentions_rights(prose_)) statement_.prose = std::move(prose_);
    return std::move(statement_);
  }

 private:
  void add_value(const std::string& key, const std::string& value) {
    if (key.starts_with("licen") || key == "spdx-license-identifier") {
      statement_.licenses.push_back(value);
    } else if (key == "spdx-filecopyrighttext" || key == "copyright") {
      add_holder(value);
    } else if (key == "title") {
      statement_.fields.emplace("title", value);
    } else if (key == "source" || key == "url") {
      statement_.fields.emplace("source_page", value);
    } else {
      if (mentions_rights(value)) prose_ += value + "\n";
      statement_.fields.emplace("artist", value);
    }
  }
  void add_holder(const std::string& text) {
    if (mentions_rights(text)) prose_ += text + "\n";
    statement_.fields.emplace("artist", holder_of(text));
  }

  Statement statement_;
  std::string prose_;
};

Statement parse_notice(const std::string& text, const std::string& name, bool is_about_licenses) {
  if (auto license = license_of_legal_code(text)) {
    Statement statement;
    statement.document = name;
    statement.licenses.push_back(std::move(*license));
    return statement;
  }
  NoticeParser parser(name);
  for (const auto& line : lines_of(text)) parser.add_line(line);
  return parser.finish(is_about_licenses);
}

}  // namespace

std::optional<std::string> path_within(const std::string& folder, std::string_view name) {
  if (name.empty() || name.front() == '/' ||
      name.find_first_of(std::string_view("\\\0", 2)) != std::string_view::npos) {
    return std::nullopt;
  }
  std::string path;
  for (std::size_t at = 0; at <= name.size();) {
    const auto end = std::min(name.find('/', at), name.size());
    const auto part = name.substr(at, end - at);
    at = end + 1;
    if (part == "..") return std::nullopt;
    if (part.empty() || part == ".") continue;
    if (!path.empty()) path += '/';
    path += part;
  }
  if (path.empty()) return std::nullopt;
  return folder + path;
}

std::string holder_of(const std::string& copyright) {
  static const boost::regex kYears(R"(^(?:\s|©|\(c\)|copyright\b|:|,|[12]\d{3}(?:\s*[-–]\s*(?:[12]\d{3}|present))?)+)",
                                   boost::regex::perl | boost::regex::icase);
  static const boost::regex kMail(R"(\s*<[^>]*>)");
  return boost::regex_replace(boost::regex_replace(copyright, kYears, std::string()), kMail, std::string());
}

std::variant<LicenseDocument, std::string> read_list(const std::string& root, const std::string& name) {
  const RowLayout form;
  const auto reader = open_rows(form, root + "/" + name);
  const auto header = reader->columns().value_or(std::vector<std::string>{});
  const auto columns = columns_of(header);
  const auto has = [&](std::string_view key) {
    return std::any_of(columns.begin(), columns.end(), [&](const auto& pair) { return pair.second == key; });
  };
  for (const std::string_view key : {"file", "license"}) {
    if (!has(key)) return missing_column(key, header);
  }
  LicenseDocument document;
  document.form = DocumentForm::list;
  document.folder = folder_of(name);
  for (Row row; reader->next(row);) {
    if (row.broken) fail(name, row.number, *row.broken);
    DocumentRule rule;
    rule.statement.document = name;
    rule.statement.line = row.number;
    std::string file;
    for (const auto& [column, key] : columns) {
      const auto& value = row.first(column);
      if (value.empty()) continue;
      if (key == "file") {
        file = value;
      } else if (key == "license") {
        rule.statement.licenses.push_back(value);
      } else {
        rule.statement.fields.emplace(key, value);
      }
    }
    if (file.empty()) fail(name, row.number, "names no file");
    document.rules.push_back(std::move(rule));
    add_rule(document, file, document.rules.size() - 1);
  }
  return document;
}

LicenseDocument read_reuse(const std::string& text, const std::string& name) {
  const auto file = native::parse_toml(text, name);
  const native::TomlTable table(file, name);
  if (table.integer("version") != 1) table.fail("version", "must be 1");
  LicenseDocument document;
  document.form = DocumentForm::reuse;
  document.folder = folder_of(name);
  for (const auto& annotation : table.tables("annotations")) {
    DocumentRule rule;
    rule.statement.document = name;
    rule.patterns = annotation.strings("path");
    if (rule.patterns.empty()) annotation.fail("path", "is missing");
    const auto precedence = annotation.string("precedence").value_or("closest");
    if (precedence != "closest" && precedence != "aggregate" && precedence != "override") {
      annotation.fail("precedence", "must be closest, aggregate or override");
    }
    rule.precedence = precedence == "override"    ? Precedence::override_all
                      : precedence == "aggregate" ? Precedence::aggregate
                                                  : Precedence::closest;
    rule.statement.licenses = annotation.strings("SPDX-License-Identifier");
    const auto holders = annotation.strings("SPDX-FileCopyrightText");
    if (!holders.empty()) rule.statement.fields["artist"] = holder_of(holders.front());
    document.rules.push_back(std::move(rule));
  }
  return document;
}

LicenseDocument read_debian(const std::string& text, const std::string& name) {
  require_text(text, name);
  LicenseDocument document;
  document.form = DocumentForm::debian;
  document.folder = folder_of(name);
  for (const std::string_view own : {"debian/", ".reuse/"}) {
    if (document.folder.ends_with(own)) document.folder.resize(document.folder.size() - own.size());
  }
  std::map<std::string, std::string> fields;
  std::string key;
  std::uint64_t number = 0;
  std::uint64_t begin = 1;
  const auto end_paragraph = [&] {
    if (fields.contains("files")) {
      DocumentRule rule;
      rule.statement.document = name;
      rule.statement.line = begin;
      std::istringstream patterns(fields["files"]);
      for (std::string pattern; patterns >> pattern;) rule.patterns.push_back(pattern);
      const auto license = lines_of(fields["license"]);
      if (license.empty() || text::trimmed(license.front()).empty())
        fail(name, begin, "a Files paragraph has no License");
      rule.statement.licenses.push_back(license.front());
      for (const auto& line : lines_of(fields["copyright"])) {
        if (const auto holder = holder_of(std::string(text::trimmed(line))); !holder.empty()) {
          rule.statement.fields.emplace("artist", holder);
        }
      }
      document.rules.push_back(std::move(rule));
    }
    fields.clear();
    key.clear();
  };
  for (const auto& line : lines_of(text)) {
    ++number;
    if (text::trimmed(line).empty()) {
      end_paragraph();
      begin = number + 1;
    } else if (line.front() == ' ' || line.front() == '\t') {
      if (key.empty()) fail(name, number, "a continuation line has no field before it");
      fields[key] += "\n" + line;
    } else if (line.front() != '#') {
      const auto colon = line.find(':');
      if (colon == std::string::npos) fail(name, number, "is not a field: a colon is missing");
      key = ascii::to_lower(line.substr(0, colon));
      if (!fields.emplace(key, std::string(text::trimmed(line.substr(colon + 1)))).second)
        fail(name, number, "the field " + text::quotable(key) + " occurs twice");
    }
  }
  end_paragraph();
  return document;
}

namespace {

LicenseDocument document_of(DocumentForm form, const std::string& name, Statement statement) {
  LicenseDocument document;
  document.form = form;
  document.folder = folder_of(name);
  DocumentRule rule;
  rule.statement = std::move(statement);
  document.rules.push_back(std::move(rule));
  return document;
}

}  // namespace

LicenseDocument read_notice_file(const std::string& text, const std::string& name) {
  return document_of(DocumentForm::notice, name, parse_notice(text::valid_utf8(text), name, true));
}

std::optional<LicenseDocument> read_beside(const std::string& text, const std::string& name, const std::string& audio) {
  const bool is_reuse = native::extension_of(name) == "license";
  auto statement = parse_notice(text::valid_utf8(text), name, is_reuse);
  if (!is_reuse && statement.licenses.empty() && statement.prose.empty()) return std::nullopt;
  auto document = document_of(is_reuse ? DocumentForm::reuse_beside : DocumentForm::beside, name, std::move(statement));
  document.by_path[audio].push_back(0);
  return document;
}

}  // namespace tonearm::builder
