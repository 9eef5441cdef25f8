#pragma once
// What the demo says of its audio files: as a list in CSV and as canonical lines. Pure.

#include <cstdint>
#include <string>
#include <vector>

#include "demo/recordings.h"
#include "demo/score.h"
#include "demo/style.h"
#include "tonearm/ports.h"

namespace tonearm::builder::demo {

struct Entry {
  std::string file;  // below the folder of audio files
  bool is_music = false;
  std::string title;
  std::string artist;
  std::string description;
  std::string license;
  std::string license_status;
  std::string source;  // a domain
  std::string page;    // may be empty
  int bpm = 0;         // 0: not known
  bool is_loop = false;
  std::string category;
  std::vector<std::string> genre;
  std::vector<std::string> moods;
  std::vector<std::string> uses;
  std::vector<std::string> instruments;
  std::vector<std::string> effects;
  std::uint64_t duration_ms = 0;
};

Entry entry_of(const Piece& piece, const Score& score);
Entry entry_of(const Recording& recording);

/// The address of a license's text. REQUIRES: an id of the demo's licenses.
std::string license_address(const std::string& license);

/// Columns file, title, artist, license, source, source_page, kind, bpm, loop, category, genre, mood, use, instrument,
/// sfx, description; several tags in one cell are separated by ';'.
std::string csv_of(const std::vector<Entry>& entries);

/// Canonical lines (LINE-2), previews as paths under the media address.
std::string lines_of(const std::vector<Entry>& entries, Hashing& hashing);

}  // namespace tonearm::builder::demo
