#pragma once
// Maps phrases and addresses to tracks. A phrase is a run of adjacent terms: two of the title, or a whole title or
// artist (docs/snapshot-format.md, `phrases`). Constant once opened, safe for concurrent use. Throws CatalogDamaged if
// the file is damaged.

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/index/posting_list.h"
#include "catalog/index/sparse_index.h"
#include "catalog/index/tokenizer.h"
#include "tonearm/track.h"

namespace tonearm::catalog {

/// The field that contains the phrase.
enum class PhraseKind : std::uint8_t {
  whole = 0,    // the title; or title and artist, artist and title, title "by" artist
  artist = 1,   // the whole artist
  pair = 2,     // two adjacent terms of the title
  address = 3,  // no terms: an address of the track
};

/// The hashes of one phrase in different kinds are adjacent. REQUIRES: stems of the tokenizer, in the order of the
/// text.
std::uint64_t phrase_hash(PhraseKind kind, std::span<const std::string> stems);

/// Returns the hashes of the phrases of a track with one or more titles, without duplicates. A single term is a phrase
/// only as a whole title: in searches, its impact has the same effect (query/score.h).
std::vector<std::uint64_t> phrase_hashes(std::span<const std::string> titles, std::string_view artist,
                                         Tokenizer& tokenizer);

/// Hashes an address in the form of text/web_address.h.
std::uint64_t address_hash(std::string_view normalized_url);
/// Returns the hashes of a track's addresses without duplicates. Empty texts and texts that are no web address are
/// skipped.
std::vector<std::uint64_t> address_hashes(std::span<const std::string> addresses);

/// Collects the section `phrases` while tracks are added by position.
class PhrasesBuilder {
 public:
  /// REQUIRES: positions do not descend from call to call; the track is not taken down.
  void add(std::uint32_t position, const std::vector<std::uint64_t>& hashes);
  /// Passes the section to `append` in parts, and empties the builder.
  void finish(const std::function<void(std::string_view bytes)>& append);

 private:
  /// 12 bytes, because a large catalog has many.
  struct Entry {
    std::uint32_t hash_high = 0;
    std::uint32_t hash_low = 0;
    std::uint32_t position = 0;
    std::uint64_t hash() const { return std::uint64_t{hash_high} << 32U | hash_low; }
  };
  /// Entries are sorted bucket by bucket: each has the hashes with the same highest bits.
  static constexpr unsigned kBucketBits = 6;
  using Bucket = std::vector<Entry>;

  /// Calls `visit` with the entries of each hash, in the order of the hashes.
  template <class Visit>
  void each_hash(const Visit& visit) const;

  std::array<Bucket, 1U << kBucketBits> buckets_;
};

class PhraseIndex {
 public:
  /// The section must outlive the index.
  explicit PhraseIndex(const Extent& section);

  /// Returns the tracks of a hash, ascending; none if the hash is unknown.
  std::span<const std::uint32_t> tracks_of(std::uint64_t hash) const;

  /// For a remote file: adds the range that contains the entry of a hash if any does.
  void add_entry_range(std::uint64_t hash, std::vector<FileRange>& ranges) const;
  /// For a remote file: reads the entry and adds the range of its positions.
  void add_position_range(std::uint64_t hash, std::vector<FileRange>& ranges) const;

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t begin = 0;  // of its positions
    std::uint32_t count = 0;
  };
  static_assert(sizeof(Entry) == 16);
  friend class PhrasesBuilder;
  /// 4 KiB of entries.
  static constexpr std::size_t kSparseStep = 256;

  Entry entry(std::size_t number) const;
  /// Checks that the entry's positions exist.
  std::optional<Entry> find(std::uint64_t hash) const;

  std::uint32_t entry_count_;
  SparseIndex sparse_;  // of the hashes' upper halves
  Extent entries_;
  Array<std::uint32_t> positions_;
};

}  // namespace tonearm::catalog
