#include "demo/recordings.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "input/toml_file.h"
#include "runtime/embedded.h"
#include "tonearm/result.h"

namespace tonearm::builder::demo {
namespace {

constexpr std::string_view kFile = "data/demo_recordings.toml";
constexpr std::string_view kCc0Address = "creativecommons.org/publicdomain/zero/1.0";

using Fields = std::vector<std::pair<std::string, std::string>>;

std::string trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(kSpace) + 1 - begin));
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// Stanzas are separated by empty lines; a line that begins with a space continues its field. An address that stands
/// alone on a line is its stanza's source, though the name of the field was forgotten.
std::vector<Fields> stanzas_of(std::string_view copyright) {
  std::vector<Fields> stanzas(1);
  for (const auto& line : lines_of(copyright)) {
    auto& fields = stanzas.back();
    if (trimmed(line).empty()) {
      if (!fields.empty()) stanzas.emplace_back();
    } else if ((line[0] == ' ' || line[0] == '\t') && !fields.empty()) {
      fields.back().second += "\n" + trimmed(line);
    } else if (line.rfind("http", 0) == 0) {
      fields.emplace_back("Source", trimmed(line));
    } else if (const auto colon = line.find(':'); colon != std::string::npos) {
      fields.emplace_back(line.substr(0, colon), trimmed(std::string_view(line).substr(colon + 1)));
    }
  }
  return stanzas;
}

std::string field(const Fields& fields, std::string_view name) {
  for (const auto& [key, value] : fields) {
    if (key == name) return value;
  }
  return {};
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char byte : std::string(text) + " ") {
    if (byte == ' ' || byte == '\n' || byte == '\t') {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word += byte;
    }
  }
  return words;
}

bool is_year(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789-,") == std::string_view::npos;
}

/// "2015, \"jdaniel1999\" https://..." is the artist jdaniel1999 and the page; addresses of mail are left out.
Statement statement_from(const Fields& stanza) {
  Statement result;
  result.license = words_of(field(stanza, "License")).empty() ? "" : words_of(field(stanza, "License")).front();
  result.page = field(stanza, "Source");
  const auto holders = lines_of(field(stanza, "Copyright"));
  for (const auto& word : words_of(holders.front())) {
    if (is_year(word) || word.front() == '<') continue;
    if (word.rfind("http", 0) == 0) {
      result.page = word;
      continue;
    }
    if (!result.artist.empty()) result.artist += ' ';
    result.artist += word;
  }
  auto& artist = result.artist;
  artist.erase(std::remove(artist.begin(), artist.end(), '"'), artist.end());
  constexpr std::string_view kSite = " of freesound.org";
  if (artist.ends_with(kSite)) artist.resize(artist.size() - kSite.size());
  return result;
}

/// Where paths hold spaces a pattern has '?', so that words are patterns.
bool names_file(const Fields& stanza, std::string_view file) {
  const auto patterns = words_of(field(stanza, "Files"));
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return pattern != "*" && matches(pattern, file); });
}

std::string without_underscores(std::string_view name) {
  std::string result(name);
  result.erase(std::remove(result.begin(), result.end(), '_'), result.end());
  return result;
}

std::string percent_decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 3) == "%20") {
      result += ' ';
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

/// A package of the list, with what it says.
struct Package {
  std::string name;
  std::string folder;
  std::string packaged;  // the same folder in the copyright file
  std::string page;
  std::string copyright;
  std::string list;
};

void add_recording(const Package& package, const std::string& file, const TomlTable& row, const std::string& root,
                   Recordings& found) {
  row.allow_only({"title", "category", "tags"});
  const auto name = package.name + "/" + file;
  const auto path = root + package.folder + file;
  if (!std::filesystem::is_regular_file(path)) {
    found.left_out.push_back({name, "the package " + package.name + " is not installed or lacks it"});
    return;
  }
  auto statement = statement_of(package.copyright, package.packaged + file);
  if (!statement) statement = listed_statement(package.list, file.substr(0, file.find_last_of('.')));
  if (!statement) {
    found.left_out.push_back({name, "no license is stated for it"});
    return;
  }
  const auto license = license_id(statement->license);
  if (license.empty() || statement->artist.empty()) {
    found.left_out.push_back({name, license.empty() ? "the license " + statement->license + " is not one of the demo"
                                                    : "nobody is named as its author"});
    return;
  }
  found.kept.push_back({package.name, path, name, row.required_string("title"), statement->artist, license,
                        statement->page.empty() ? package.page : statement->page, row.required_string("category"),
                        row.strings("tags")});
}

}  // namespace

std::string file_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool matches(std::string_view pattern, std::string_view path) {
  if (pattern.empty()) return path.empty();
  if (pattern[0] == '*') {
    for (std::size_t skip = 0; skip <= path.size(); ++skip) {
      if (matches(pattern.substr(1), path.substr(skip))) return true;
    }
    return false;
  }
  if (path.empty()) return false;
  if (pattern[0] != '?') return pattern[0] == path[0] && matches(pattern.substr(1), path.substr(1));
  std::size_t bytes = 1;
  while (bytes < path.size() && (static_cast<unsigned char>(path[bytes]) & 0xC0U) == 0x80U) ++bytes;
  return matches(pattern.substr(1), path.substr(bytes));
}

std::string license_id(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kLicenses{{{"CC0", "CC0-1.0"},
                                                                                    {"CC0-1.0", "CC0-1.0"},
                                                                                    {"CC-BY-3.0", "CC-BY-3.0"},
                                                                                    {"CC-BY-4.0", "CC-BY-4.0"},
                                                                                    {"CC-BY-NC-3.0", "CC-BY-NC-3.0"},
                                                                                    {"CC-BY-NC-4.0", "CC-BY-NC-4.0"}}};
  for (const auto& [stated, id] : kLicenses) {
    if (stated == name) return std::string(id);
  }
  return {};
}

std::optional<Statement> statement_of(std::string_view copyright, std::string_view file) {
  std::optional<Statement> result;
  for (const auto& stanza : stanzas_of(copyright)) {
    if (names_file(stanza, file)) result = statement_from(stanza);
  }
  return result;
}

std::optional<Statement> listed_statement(std::string_view list, std::string_view sample) {
  if (list.find(kCc0Address) == std::string_view::npos) return std::nullopt;
  for (const auto& line : lines_of(list)) {
    if (line.rfind("* `:", 0) != 0) continue;
    const auto end = line.find('`', 4);
    const auto address = line.find("http", 4);
    if (end == std::string::npos || address == std::string::npos) continue;
    if (without_underscores(line.substr(4, end - 4)) != without_underscores(sample)) continue;
    auto page = words_of(std::string_view(line).substr(address)).front();
    constexpr std::string_view kPeople = "/people/";
    const auto who = page.find(kPeople);
    if (who == std::string::npos) return std::nullopt;
    const auto begin = who + kPeople.size();
    auto artist = percent_decoded(std::string_view(page).substr(begin, page.find('/', begin) - begin));
    return Statement{std::move(artist), "CC0", std::move(page)};
  }
  return std::nullopt;
}

Recordings find_recordings(const std::string& root) {
  const std::string name(kFile);
  const auto file = parse_toml(embedded_file(name), name);
  Recordings found;
  for (const auto& table : TomlTable(file, name).tables("package")) {
    table.allow_only({"name", "folder", "packaged", "list", "page", "recordings"});
    Package package{table.required_string("name"),
                    table.required_string("folder"),
                    table.required_string("packaged"),
                    table.required_string("page"),
                    {},
                    {}};
    package.copyright = file_bytes(root + "/usr/share/doc/" + package.name + "/copyright");
    if (const auto list = table.string("list")) package.list = file_bytes(root + package.folder + *list);
    const auto rows = table.required_table("recordings");
    for (const auto& recording : rows.keys()) {
      add_recording(package, recording, rows.required_table(recording), root, found);
    }
  }
  return found;
}

}  // namespace tonearm::builder::demo
