#pragma once
// The parts of a snapshot that are held in memory while it is open: how its tracks are numbered, and the
// columns that filters and sorts need. Constant once loaded.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/search.h"
#include "tonearm/sql.h"

namespace tonearm::catalog {

/// "Tone": marks the file as a snapshot (PRAGMA application_id).
inline constexpr std::int64_t kApplicationId = 0x546f6e65;

/// Positions: music, then effects other than speech, then speech effects, then tracks taken down, which no
/// search, list or count knows (C10, taken_down).
struct Layout {
  std::uint32_t music_end = 0;
  std::uint32_t effects_end = 0;
  std::uint32_t speech_end = 0;
  std::uint32_t size = 0;
};

/// Orders that a sort asks for; the shuffle is the numbering itself.
inline constexpr std::array<Sort, 5> kStoredSorts{Sort::quality, Sort::shortest, Sort::longest, Sort::slow, Sort::fast};
inline constexpr std::array<std::string_view, 5> kStoredSortNames{"quality", "short", "long", "slow", "fast"};

/// A permutation of all positions, and the place of each position in it.
struct Order {
  std::vector<std::uint32_t> positions;
  std::vector<std::uint32_t> ranks;
};

struct Columns {
  std::vector<std::uint64_t> duration_ms;
  std::vector<std::uint32_t> bpm_hundredths;      // 0: none
  std::vector<std::uint16_t> quality;             // thousandths
  std::vector<std::uint8_t> flags;                // facets.h
  std::vector<std::uint32_t> id_rank;             // place of the track's id among all ids, as bytes
  std::array<Order, kStoredSorts.size()> orders;  // in the order of kStoredSorts
};

using Manifest = std::map<std::string, std::string>;

/// REQUIRES for all: the connection is open. They throw sql::Failure where the file is no sound snapshot.
Manifest read_manifest(sqlite3* database);
Layout read_layout(const Manifest& manifest);
Columns read_columns(sqlite3* database, std::uint32_t size);

/// What the manifest says under `key`. Throws sql::Failure where it says nothing, or no number.
const std::string& manifest_text(const Manifest& manifest, const std::string& key);
std::uint32_t manifest_number(const Manifest& manifest, const std::string& key);

}  // namespace tonearm::catalog
