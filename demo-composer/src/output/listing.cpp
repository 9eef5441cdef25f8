#include "output/listing.h"

#include <algorithm>
#include <utility>

#include "composition/composer.h"

namespace tonearm::demo {
namespace {

using Column = std::pair<std::string_view, std::string>;

/// Joins tags into one cell.
std::string joined(const std::vector<const std::vector<std::string>*>& facets) {
  std::string text;
  for (const auto* tags : facets) {
    for (const auto& tag : *tags) {
      if (!text.empty()) text += ';';
      text += tag;
    }
  }
  return text;
}

std::vector<Column> columns_of(const ListEntry& entry) {
  return {{"file", entry.file},
          {"title", entry.title},
          {"artist", entry.artist},
          {"license", entry.license},
          {"source_page", entry.page},
          {"kind", entry.is_music ? "music" : "sfx"},
          {"bpm", entry.bpm > 0 ? std::to_string(entry.bpm) : ""},
          {"loop", entry.is_loop ? "true" : "false"},
          {"category", entry.category},
          {"genre", joined({&entry.genre})},
          {"tags", joined({&entry.moods, &entry.uses, &entry.instruments, &entry.effects})},
          {"description", entry.description}};
}

/// Encodes a cell.
std::string cell_of(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char byte : text) {
    cell += byte;
    if (byte == '"') cell += byte;
  }
  return cell + '"';
}

}  // namespace

std::string license_url(const std::string& license) {
  constexpr std::string_view kSite = "https://creativecommons.org/";
  if (license == "CC0-1.0") return std::string(kSite) + "publicdomain/zero/1.0/";
  const auto version = license.substr(license.rfind('-') + 1);
  const auto terms = license.find("-NC-") == std::string::npos ? "by" : "by-nc";
  return std::string(kSite) + "licenses/" + terms + "/" + version + "/";
}

ListEntry entry_of(const Piece& piece, const Score& score) {
  ListEntry entry;
  entry.file = piece.name + ".ogg";
  entry.is_music = true;
  entry.title = piece.title;
  entry.artist = kArtist;
  entry.description = piece.description;
  entry.license = piece.license;
  entry.bpm = piece.bpm;
  entry.is_loop = piece.is_loop;
  entry.genre = {piece.genre};
  entry.moods = piece.moods;
  entry.uses = piece.uses;
  entry.instruments = instruments_of(score);
  entry.category = entry.instruments.size() == 1 ? "m-si" : "m-m";
  return entry;
}

ListEntry entry_of(const Recording& recording) {
  ListEntry entry;
  entry.file = recording.name;
  entry.title = recording.title;
  entry.artist = recording.artist;
  entry.description = "From the Debian package " + recording.package + ".";
  entry.license = recording.license;
  entry.page = recording.page;
  entry.category = recording.category;
  entry.effects = recording.tags;
  entry.is_loop = std::find(recording.tags.begin(), recording.tags.end(), "loop") != recording.tags.end();
  return entry;
}

std::string csv_of(const std::vector<ListEntry>& entries) {
  std::string head;
  std::string rows;
  for (const auto& entry : entries) {
    head.clear();
    for (const auto& [name, text] : columns_of(entry)) {
      if (!head.empty()) {
        head += ',';
        rows += ',';
      }
      head += name;
      rows += cell_of(text);
    }
    rows += "\r\n";
  }
  return head + "\r\n" + rows;
}

std::vector<std::string> files_in_csv(std::string_view csv) {
  std::vector<std::string> files;
  std::string cell;
  bool is_first = true;  // cell of its row
  bool is_quoted = false;
  for (std::size_t i = 0; i < csv.size(); ++i) {
    if (csv[i] == '"' && is_quoted && csv.substr(i + 1, 1) == "\"") {
      cell += csv[i++];
    } else if (csv[i] == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && (csv[i] == ',' || csv[i] == '\n')) {
      if (is_first) files.push_back(cell);
      cell.clear();
      is_first = csv[i] == '\n';
    } else if (is_quoted || csv[i] != '\r') {
      cell += csv[i];
    }
  }
  if (!files.empty()) files.erase(files.begin());  // the heading
  return files;
}

}  // namespace tonearm::demo
