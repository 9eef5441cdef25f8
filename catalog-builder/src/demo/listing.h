#pragma once
// What the demo says of its audio files: the list and the settings that the folder source reads. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "demo/recordings.h"
#include "demo/score.h"
#include "demo/style.h"

namespace tonearm::builder::demo {

struct Entry {
  std::string file;  // below the folder of audio files
  bool is_music = false;
  std::string title;
  std::string artist;
  std::string description;
  std::string license;
  std::string page;  // may be empty
  int bpm = 0;       // 0: not known
  bool is_loop = false;
  std::string category;
  std::vector<std::string> genre;
  std::vector<std::string> moods;
  std::vector<std::string> uses;
  std::vector<std::string> instruments;
  std::vector<std::string> effects;
};

Entry entry_of(const Piece& piece, const Score& score);
Entry entry_of(const Recording& recording);

/// The address of a license's text. REQUIRES: an id of the demo's licenses.
std::string license_address(const std::string& license);

/// Columns file, title, artist, license, source_page, kind, bpm, loop, category, genre, tags, description; several tags
/// in one cell are separated by ';'.
std::string csv_of(const std::vector<Entry>& entries);

/// What the list does not say: whose the files without a page are.
inline constexpr std::string_view kSettings =
    "domain = \"tonearm.example\"\nsource_name = \"Tonearm\"\nid_prefix = \"demo\"\n";

}  // namespace tonearm::builder::demo
