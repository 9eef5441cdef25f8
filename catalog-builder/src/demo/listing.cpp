#include "demo/listing.h"

#include <algorithm>
#include <utility>

#include "demo/composer.h"
#include "json/writer.h"
#include "mapping/row_adapter.h"

namespace tonearm::builder::demo {
namespace {

constexpr std::string_view kOwnDomain = "tonearm.example";

using Column = std::pair<std::string_view, std::string>;

std::string joined(const std::vector<std::string>& tags) {
  std::string text;
  for (const auto& tag : tags) {
    if (!text.empty()) text += ';';
    text += tag;
  }
  return text;
}

std::vector<Column> columns_of(const Entry& entry) {
  return {{"file", entry.file},
          {"title", entry.title},
          {"artist", entry.artist},
          {"license", entry.license},
          {"source", entry.source},
          {"source_page", entry.page},
          {"kind", entry.is_music ? "music" : "sfx"},
          {"bpm", entry.bpm > 0 ? std::to_string(entry.bpm) : ""},
          {"loop", entry.is_loop ? "true" : "false"},
          {"category", entry.category},
          {"genre", joined(entry.genre)},
          {"mood", joined(entry.moods)},
          {"use", joined(entry.uses)},
          {"instrument", joined(entry.instruments)},
          {"sfx", joined(entry.effects)},
          {"description", entry.description}};
}

/// A cell of RFC 4180.
std::string cell_of(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char byte : text) {
    cell += byte;
    if (byte == '"') cell += byte;
  }
  return cell + '"';
}

/// A path as part of an address: all but letters, digits and -._/ as %XX.
std::string address_of(std::string_view path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string result;
  for (const char byte : path) {
    const auto value = static_cast<unsigned char>(byte);
    const bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                          (byte >= '0' && byte <= '9') || std::string_view("-._/").find(byte) != std::string_view::npos;
    if (is_plain) {
      result += byte;
    } else {
      result += '%';
      result += kHex[value >> 4U];
      result += kHex[value & 15U];
    }
  }
  return result;
}

/// "http://www.freesound.org/people/..." comes from freesound.org.
std::string domain_of(std::string_view page) {
  auto begin = page.find("//");
  begin = begin == std::string_view::npos ? 0 : begin + 2;
  auto domain = page.substr(begin, page.find('/', begin) - begin);
  constexpr std::string_view kWww = "www.";
  if (domain.starts_with(kWww)) domain.remove_prefix(kWww.size());
  return std::string(domain);
}

void write_text(json::Writer& out, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  out.key(key);
  out.string(value);
}

void write_tags(json::Writer& out, std::string_view facet, const std::vector<std::string>& tags) {
  if (tags.empty()) return;
  out.key(facet);
  out.begin_array();
  for (const auto& tag : tags) out.string(tag);
  out.end_array();
}

/// The catalog's id of an SPDX one: "CC-BY-4.0" is "cc-by-4.0", and CC0 has no version.
std::string catalog_license(const std::string& license) {
  if (license == "CC0-1.0") return "cc0";
  std::string id;
  for (const char byte : license) id += byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
  return id;
}

std::string line_of(const Entry& entry, Hashing& hashing) {
  json::Writer out;
  out.begin_object();
  write_text(out, "id", id_from_key("demo", entry.file, hashing));
  write_text(out, "kind", entry.is_music ? "music" : "sfx");
  write_text(out, "title", entry.title);
  write_text(out, "artist", entry.artist);
  write_text(out, "description", entry.description);
  out.key("duration_s");
  out.decimal(entry.duration_ms, 3);
  if (entry.bpm > 0) {
    out.key("bpm");
    out.integer(entry.bpm);
  }
  out.key("tags");
  out.begin_object();
  write_tags(out, "genre", entry.genre);
  write_tags(out, "mood", entry.moods);
  write_tags(out, "use", entry.uses);
  write_tags(out, "instrument", entry.instruments);
  write_tags(out, "sfx", entry.effects);
  out.end_object();
  write_text(out, "category", entry.category);
  out.key("loop");
  out.boolean(entry.is_loop);
  write_text(out, "license", catalog_license(entry.license));
  write_text(out, "license_status", entry.license_status);
  write_text(out, "source", entry.source);
  write_text(out, "source_page", entry.page);
  write_text(out, "preview_url", address_of(entry.file));
  write_text(out, "original_url", address_of(entry.file));
  out.end_object();
  return out.take();
}

}  // namespace

std::string license_address(const std::string& license) {
  constexpr std::string_view kSite = "https://creativecommons.org/";
  if (license == "CC0-1.0") return std::string(kSite) + "publicdomain/zero/1.0/";
  const auto version = license.substr(license.rfind('-') + 1);
  const auto terms = license.find("-NC-") == std::string::npos ? "by" : "by-nc";
  return std::string(kSite) + "licenses/" + terms + "/" + version + "/";
}

Entry entry_of(const Piece& piece, const Score& score) {
  Entry entry;
  entry.file = piece.name + ".ogg";
  entry.is_music = true;
  entry.title = piece.title;
  entry.artist = kArtist;
  entry.description = piece.description;
  entry.license = piece.license;
  entry.license_status = "verified";  // by who made it
  entry.source = kOwnDomain;
  entry.bpm = piece.bpm;
  entry.is_loop = piece.is_loop;
  entry.genre = {piece.genre};
  entry.moods = piece.moods;
  entry.uses = piece.uses;
  entry.instruments = instruments_of(score);
  entry.category = entry.instruments.size() == 1 ? "m-si" : "m-m";
  return entry;
}

Entry entry_of(const Recording& recording) {
  Entry entry;
  entry.file = recording.name;
  entry.title = recording.title;
  entry.artist = recording.artist;
  entry.description = "From the Debian package " + recording.package + ".";
  entry.license = recording.license;
  entry.license_status = "listed";
  entry.source = domain_of(recording.page);
  entry.page = recording.page;
  entry.category = recording.category;
  entry.effects = recording.tags;
  entry.is_loop = std::find(recording.tags.begin(), recording.tags.end(), "loop") != recording.tags.end();
  return entry;
}

std::string csv_of(const std::vector<Entry>& entries) {
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

std::string lines_of(const std::vector<Entry>& entries, Hashing& hashing) {
  std::string lines;
  for (const auto& entry : entries) lines += line_of(entry, hashing) + "\n";
  return lines;
}

}  // namespace tonearm::builder::demo
