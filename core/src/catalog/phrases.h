#pragma once
// Which tracks have certain words in a row: two in the title, or all of a whole title or artist
// (docs/snapshot-format.md, `phrases`). Constant once opened, safe for concurrent use. Throws sql::Failure where the
// file is damaged.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/postings.h"
#include "catalog/samples.h"
#include "catalog/tokenizer.h"
#include "tonearm/track.h"

namespace tonearm::catalog {

/// What words in a row are to a track.
enum class PhraseKind : std::uint8_t {
  whole = 0,   // the title; or title and artist, artist and title, title "by" artist
  artist = 1,  // the whole artist
  pair = 2,    // two of the title, one right behind the other
};

/// The same words of different kinds have hashes side by side. REQUIRES: stems of the tokenizer, in their order.
std::uint64_t phrase_hash(PhraseKind kind, std::span<const std::string> stems);

/// All that a track has, each once. A single word is none: its impact says the same (score.h).
std::vector<std::uint64_t> phrase_hashes(std::string_view title, std::string_view artist, Tokenizer& tokenizer);

/// Collects the section `phrases` while tracks are added by position.
class PhrasesBuilder {
 public:
  /// REQUIRES: positions rise from call to call; the track is not taken down.
  void add(std::uint32_t position, const std::vector<std::uint64_t>& hashes);
  /// The section.
  std::string finish();

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t position = 0;
  };
  std::vector<Entry> entries_;
};

class PhraseIndex {
 public:
  /// The section outlives the index.
  explicit PhraseIndex(const Extent& section);

  /// The tracks of a hash, upwards; none where it is not there.
  std::span<const std::uint32_t> tracks_of(std::uint64_t hash) const;

  /// For a file that is fetched by blocks: where the entry of a hash lies, if it has one.
  void add_entry_places(std::uint64_t hash, std::vector<FileRange>& places) const;
  /// And, once these are there, where its positions lie.
  void add_position_places(std::uint64_t hash, std::vector<FileRange>& places) const;

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t begin = 0;  // of its positions
    std::uint32_t count = 0;
  };
  static_assert(sizeof(Entry) == 16);
  friend class PhrasesBuilder;
  /// 4 KiB of entries.
  static constexpr std::size_t kSampleStep = 256;

  Entry entry(std::size_t number) const;
  /// Its positions are there.
  std::optional<Entry> find(std::uint64_t hash) const;

  std::uint32_t entry_count_;
  Samples samples_;  // of the hashes' upper halves
  Extent entries_;
  Array<std::uint32_t> positions_;
};

}  // namespace tonearm::catalog
