#pragma once
// The tracks that a search keeps: words and filters together. Few are listed with their scores; many stay a bitmap, and
// are scored only where a page needs them.

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "catalog/filter.h"
#include "catalog/kernels.h"
#include "catalog/query_words.h"
#include "catalog/score.h"
#include "catalog/tempo_order.h"

namespace tonearm::catalog {

/// A word of the query with what it weighs.
struct WeighedWord {
  Posting posting;
  std::uint32_t weight = 0;  // score.h

  std::uint64_t most() const { return std::uint64_t{weight} * 255; }
};

/// A phrase scores the sum of weight * impact over its words, a group its best phrase, a track the sum over the groups.
using WeighedPhrase = std::vector<WeighedWord>;
using WeighedGroup = std::vector<WeighedPhrase>;

/// Buffers that one search after the other uses, so that none has to be allocated anew. Of one thread at a time.
class Scratch {
 public:
  /// `words` words, whatever they hold. Valid until `clear`.
  std::uint64_t* bitmap(std::size_t words);
  void clear() { used_ = 0; }

 private:
  std::deque<std::vector<std::uint64_t>> bitmaps_;
  std::size_t used_ = 0;
};

/// What a search keeps. It refers to the snapshot and to the scratch.
struct Matches {
  std::uint64_t total = 0;
  bool listed = false;
  std::vector<std::uint32_t> positions;    // listed: upwards
  std::vector<std::uint32_t> scores;       // listed, where there are words and scores are wanted: one for each
  BitRange bits;                           // not listed
  std::vector<WeighedGroup> groups;        // by which to score; not listed: every word in the form of a bitmap
  std::optional<std::size_t> track_group;  // not listed: the group that the range is (Posting::best)
  Array<std::uint32_t> best;               // not listed, one word alone: its best tracks in the range, perhaps not all
  std::deque<DenseCopy> copies;            // of words of the groups that are lists in the snapshot
};

enum class Scores : std::uint8_t { none, wanted };

class Matcher {
 public:
  /// All of it outlives the object.
  struct Parts {
    const Layout& layout;
    const Columns& columns;
    const TermIndex& index;
    const TempoOrder& tempos;
    const Kernels& kernels;
  };
  Matcher(const Parts& parts, Scratch& scratch) : parts_(parts), scratch_(scratch) {}

  /// No groups: words filter nothing. Where scores are not wanted, matches that are listed have none.
  Matches match(const SearchQuery& query, std::span<const WordGroup> groups, Scores scores);

 private:
  std::optional<WeighedGroup> weigh(const WordGroup& group) const;
  bool fill_list(Matches& matches, const SearchQuery& query, const FilterPlan& plan, Scores scores);
  void fill_bits(Matches& matches, const SearchQuery& query, const FilterPlan& plan);
  const std::uint64_t* bits_of(const AnyOf& condition);
  const std::uint64_t* bits_of(const WeighedGroup& group);
  const std::uint64_t* bits_of_tempo(const SearchQuery& query, const PositionRange& range);
  std::uint64_t* empty_bitmap();
  std::optional<std::size_t> group_of(const PositionRange& range) const;

  Parts parts_;
  Scratch& scratch_;
};

/// The score of a track that matches: reads the bitmaps of its words. REQUIRES: `groups` are those of Matches::groups.
std::uint32_t score_at(std::span<const WeighedGroup> groups, std::uint32_t position);
/// For each word of the bitmaps from number `first` on: no track of it scores higher.
void find_highest_scores(std::span<const WeighedGroup> groups, const Kernels& kernels, std::uint32_t first,
                         std::span<std::uint32_t> highest);

}  // namespace tonearm::catalog
