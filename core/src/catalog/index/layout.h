#pragma once
// How the tracks of a snapshot are numbered, and the columns that filters and sorts need. Constant once opened.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/storage/sections.h"
#include "tonearm/search.h"
#include "tonearm/sqlite.h"

namespace tonearm::catalog {

/// "Tone": marks the file as a snapshot (PRAGMA application_id).
inline constexpr std::int64_t kApplicationId = 0x546f6e65;

/// Positions: music, then effects other than speech, then speech effects, then tracks taken down, which no
/// search, list or count knows (TRACK-6).
struct Layout {
  std::uint32_t music_end = 0;
  std::uint32_t effects_end = 0;
  std::uint32_t speech_end = 0;
  std::uint32_t size = 0;
};

/// Leaves room for arithmetic with positions and bitmap words.
inline constexpr std::uint32_t kTracksMax = 0xffff'0000U;

/// Orders that a sort asks for; the shuffle is the numbering itself.
inline constexpr std::array<Sort, 5> kStoredSorts{Sort::quality, Sort::shortest, Sort::longest, Sort::slow, Sort::fast};
inline constexpr std::array<std::string_view, 5> kStoredSortNames{"quality", "short", "long", "slow", "fast"};

/// A permutation of all positions. Of a sort: first music, then effects, then tracks taken down.
template <class Array>
struct BasicOrder {
  Array positions;
  Array ranks;  // the rank of each position in it
};

/// By position.
template <template <class> class List>
struct BasicColumns {
  List<std::uint64_t> duration_ms;
  List<std::uint32_t> bpm_hundredths;                                       // 0: none
  List<std::uint16_t> quality;                                              // thousandths
  List<std::uint8_t> flags;                                                 // facets.h
  BasicOrder<List<std::uint32_t>> ties;                                     // all tracks: what ranks equal (SORT-6)
  std::array<BasicOrder<List<std::uint32_t>>, kStoredSorts.size()> orders;  // in the order of kStoredSorts
  List<std::uint32_t> families;                                             // 0: none (SEARCH-14)
};

template <class Value>
using OwnedArray = std::vector<Value>;
/// Of a snapshot.
using Columns = BasicColumns<Array>;
using Order = BasicOrder<Array<std::uint32_t>>;
/// Of a snapshot in the making.
using OwnedColumns = BasicColumns<OwnedArray>;
/// REQUIRES: `columns` outlives the result.
Columns view_of(const OwnedColumns& columns);

using Manifest = std::map<std::string, std::string>;

/// REQUIRES for all: the connection is open. They throw Failure if the file is no sound snapshot.
Manifest read_manifest(sqlite3* database);
Layout read_layout(const Manifest& manifest);
/// Checks the lengths of the columns; their numbers are checked where they are used.
Columns read_columns(const Sections& sections, std::uint32_t size);

/// The value of `key` in the manifest. Throws Failure if there is none, or no number.
const std::string& manifest_text(const Manifest& manifest, const std::string& key);
std::uint32_t manifest_number(const Manifest& manifest, const std::string& key);

}  // namespace tonearm::catalog
