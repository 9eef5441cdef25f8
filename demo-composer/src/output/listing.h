#pragma once
// list.csv and tonearm.toml, which describe the audio files to `tonearm-catalog build --source folder:DIR`. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "composition/score.h"
#include "composition/style.h"
#include "output/recordings.h"

namespace tonearm::demo {

struct ListEntry {
  std::string file;  // relative to the folder of audio files
  bool is_music = false;
  std::string title;
  std::string artist;
  std::string description;
  std::string license;
  std::string page;  // may be empty
  int bpm = 0;       // 0: unknown
  bool is_loop = false;
  std::string category;
  std::vector<std::string> genre;
  std::vector<std::string> moods;
  std::vector<std::string> uses;
  std::vector<std::string> instruments;
  std::vector<std::string> effects;
};

ListEntry entry_of(const Piece& piece, const Score& score);
ListEntry entry_of(const Recording& recording);

/// Returns the URL of a license text. REQUIRES: the id of a license of the demo.
std::string license_url(const std::string& license);

/// Encodes the list as CSV (RFC 4180). The column `file` is the first; `;` separates tags within a cell.
std::string csv_of(const std::vector<ListEntry>& entries);

/// Decodes the column `file` of a list.
std::vector<std::string> files_in_csv(std::string_view csv);

/// The source of files without a page.
inline constexpr std::string_view kSettings =
    "domain = \"tonearm.example\"\nsource_name = \"Tonearm\"\nid_prefix = \"demo\"\n";

}  // namespace tonearm::demo
