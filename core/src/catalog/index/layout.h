#pragma once
// The numbering of a snapshot's tracks, and the columns for filters and sorts. Constant once opened.

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

/// Positions number the tracks in partitions: music, effects other than speech, speech effects, then tracks taken down,
/// which are in no search, list or count (TRACK-6).
struct Layout {
  std::uint32_t music_end = 0;
  std::uint32_t effects_end = 0;
  std::uint32_t speech_end = 0;
  std::uint32_t size = 0;
};

enum class Partition : std::uint8_t { music, effects, speech, taken_down };
constexpr Partition partition_at(std::uint32_t position, const Layout& layout) {
  if (position < layout.music_end) return Partition::music;
  if (position < layout.effects_end) return Partition::effects;
  return position < layout.speech_end ? Partition::speech : Partition::taken_down;
}

/// Leaves room for arithmetic with positions and bitmap words.
inline constexpr std::uint32_t kTracksMax = 0xffff'0000U;

/// The sorts with a stored order. The shuffle is the numbering itself.
inline constexpr std::array<Sort, 6> kStoredSorts{Sort::quality, Sort::shortest, Sort::longest,
                                                  Sort::slow,    Sort::fast,     Sort::newest};
inline constexpr std::array<std::string_view, 6> kStoredSortNames{"quality", "short", "long", "slow", "fast", "newest"};

/// A permutation of all positions. The order of a sort has first music, then effects, then tracks taken down.
template <class Array>
struct BasicOrder {
  Array positions;
  Array ranks;  // by position: its rank in the order
};

/// By position.
template <template <class> class List>
struct BasicColumns {
  List<std::uint64_t> duration_ms;
  List<std::uint32_t> bpm_hundredths;    // 0: none
  List<std::uint16_t> quality;           // thousandths
  List<std::uint16_t> flags;             // facets.h
  BasicOrder<List<std::uint32_t>> ties;  // the order of tracks with equal scores (SORT-6), over all tracks
  std::array<BasicOrder<List<std::uint32_t>>, kStoredSorts.size()> orders;  // in the order of kStoredSorts
  List<std::uint32_t> families;                                             // 0: none (SEARCH-14)
};

template <class Value>
using OwnedArray = std::vector<Value>;
/// The columns of an open snapshot.
using Columns = BasicColumns<Array>;
using Order = BasicOrder<Array<std::uint32_t>>;
/// The columns of a snapshot that is being written.
using OwnedColumns = BasicColumns<OwnedArray>;
/// REQUIRES: `columns` outlives the result.
Columns view_of(const OwnedColumns& columns);

using Manifest = std::map<std::string, std::string>;

/// Throws CatalogDamaged if the manifest or the schema is wrong, and Failure for another format version.
Manifest read_manifest(sqlite3* database);
Layout read_layout(const Manifest& manifest);
/// Checks only the lengths of the columns; their values are checked where they are used.
Columns read_columns(const Sections& sections, std::uint32_t size);

/// Return the value of `key`. Throw CatalogDamaged if it is missing or not a number.
const std::string& manifest_text(const Manifest& manifest, const std::string& key);
std::uint32_t manifest_number(const Manifest& manifest, const std::string& key);

}  // namespace tonearm::catalog
