#include "output/recordings.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <utility>

#include "composition/embedded.h"
#include "files/glob.h"
#include "files/toml_table.h"
#include "files/whole_file.h"
#include "text/percent.h"
#include "text/unicode.h"

namespace tonearm::demo {
namespace {

constexpr std::string_view kFile = "data/recordings.toml";
constexpr std::string_view kCc0Url = "creativecommons.org/publicdomain/zero/1.0";

using Stanza = std::vector<std::pair<std::string, std::string>>;  // fields by name

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

/// Splits a copyright file into stanzas. Empty lines separate stanzas; a line that begins with a space continues its
/// field. A URL alone on a line is the source, because some stanzas omit the name of that field.
std::vector<Stanza> stanzas_of(std::string_view copyright) {
  std::vector<Stanza> stanzas(1);
  for (const auto& line : lines_of(copyright)) {
    auto& fields = stanzas.back();
    if (text::trimmed(line).empty()) {
      if (!fields.empty()) stanzas.emplace_back();
    } else if ((line[0] == ' ' || line[0] == '\t') && !fields.empty()) {
      fields.back().second += "\n" + std::string(text::trimmed(line));
    } else if (line.rfind("http", 0) == 0) {
      fields.emplace_back("Source", text::trimmed(line));
    } else if (const auto colon = line.find(':'); colon != std::string::npos) {
      fields.emplace_back(line.substr(0, colon), text::trimmed(std::string_view(line).substr(colon + 1)));
    }
  }
  return stanzas;
}

std::string field_of(const Stanza& stanza, std::string_view name) {
  for (const auto& [key, value] : stanza) {
    if (key == name) return value;
  }
  return {};
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

bool is_year(std::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789-,") == std::string_view::npos;
}

/// Parses `2015, "jdaniel1999" https://...` as the artist jdaniel1999 and the page. Omits mail addresses.
Attribution attribution_of(const Stanza& stanza) {
  Attribution result;
  const auto licenses = words_of(field_of(stanza, "License"));
  if (!licenses.empty()) result.license = licenses.front();
  result.page = field_of(stanza, "Source");
  const auto holders = lines_of(field_of(stanza, "Copyright"));
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

/// Patterns contain '?' for spaces, so each word is a pattern.
bool matches_file(const Stanza& stanza, std::string_view file) {
  const auto patterns = words_of(field_of(stanza, "Files"));
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return pattern != "*" && native::matches_debian(pattern, file);
  });
}

std::string without_underscores(std::string_view name) {
  std::string result(name);
  result.erase(std::remove(result.begin(), result.end(), '_'), result.end());
  return result;
}

/// A package with its license documents.
struct Package {
  std::string name;
  std::string folder;
  std::string packaged;  // the same folder in the copyright file
  std::string page;
  std::string copyright;
  std::string list;
};

void add_recording(const Package& package, const std::string& file, const native::TomlTable& row,
                   const std::string& root, Recordings& found) {
  row.allow_only({"title", "category", "tags"});
  const auto name = package.name + "/" + file;
  const auto path = root + package.folder + file;
  if (!std::filesystem::is_regular_file(path)) {
    found.rejected.push_back({name, "the package " + package.name + " is not installed or lacks it"});
    return;
  }
  auto attribution = attribution_in_copyright(package.copyright, package.packaged + file);
  if (!attribution) attribution = attribution_in_list(package.list, file.substr(0, file.find_last_of('.')));
  if (!attribution) {
    found.rejected.push_back({name, "no license is stated for it"});
    return;
  }
  const auto license = license_id(attribution->license);
  if (license.empty() || attribution->artist.empty()) {
    found.rejected.push_back({name, license.empty() ? "the license " + attribution->license + " is not one of the demo"
                                                    : "nobody is named as its author"});
    return;
  }
  found.accepted.push_back({package.name, path, name, row.required_string("title"), attribution->artist, license,
                            attribution->page.empty() ? package.page : attribution->page,
                            row.required_string("category"), row.strings("tags")});
}

}  // namespace

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

std::optional<Attribution> attribution_in_copyright(std::string_view copyright, std::string_view file) {
  std::optional<Attribution> result;
  for (const auto& stanza : stanzas_of(copyright)) {
    if (matches_file(stanza, file)) result = attribution_of(stanza);
  }
  return result;
}

std::optional<Attribution> attribution_in_list(std::string_view list, std::string_view sample) {
  if (list.find(kCc0Url) == std::string_view::npos) return std::nullopt;
  for (const auto& line : lines_of(list)) {
    if (line.rfind("* `:", 0) != 0) continue;
    const auto end = line.find('`', 4);
    const auto url = line.find("http", 4);
    if (end == std::string::npos || url == std::string::npos) continue;
    if (without_underscores(line.substr(4, end - 4)) != without_underscores(sample)) continue;
    auto page = words_of(line.substr(url)).front();
    constexpr std::string_view kPeople = "/people/";
    const auto who = page.find(kPeople);
    if (who == std::string::npos) return std::nullopt;
    const auto begin = who + kPeople.size();
    const auto artist = text::decode_percent(std::string_view(page).substr(begin, page.find('/', begin) - begin));
    if (!artist) return std::nullopt;
    return Attribution{*artist, "CC0", std::move(page)};
  }
  return std::nullopt;
}

Recordings find_recordings(const std::string& root) {
  const std::string name(kFile);
  const auto file = native::parse_toml(embedded_file(name), name);
  Recordings found;
  for (const auto& table : native::TomlTable(file, name).tables("package")) {
    table.allow_only({"name", "folder", "packaged", "list", "page", "recordings"});
    Package package{table.required_string("name"),
                    table.required_string("folder"),
                    table.required_string("packaged"),
                    table.required_string("page"),
                    {},
                    {}};
    package.copyright = text::valid_utf8(native::file_bytes(root + "/usr/share/doc/" + package.name + "/copyright"));
    if (const auto list = table.string("list")) {
      package.list = text::valid_utf8(native::file_bytes(root + package.folder + *list));
    }
    const auto rows = table.required_table("recordings");
    for (const auto& recording : rows.keys()) {
      add_recording(package, recording, rows.required_table(recording), root, found);
    }
  }
  return found;
}

}  // namespace tonearm::demo
