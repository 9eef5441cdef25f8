#pragma once
// The inverted index: from a word, or a value of a facet, to the tracks that have it. Constant, safe for concurrent
// use. Reading throws sql::Failure where the file is damaged.

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "catalog/layout.h"
#include "catalog/postings.h"
#include "catalog/sections.h"

namespace tonearm::catalog {

class TermIndex {
 public:
  /// The sections outlive the index.
  TermIndex(const Sections& sections, std::uint32_t size);

  /// The tracks that have a word (a stem of the tokenizer); nothing where none has it.
  std::optional<Posting> word(std::string_view stem) const;
  /// Of a facet's value, or of a word, by its key (facets.h).
  std::optional<Posting> posting(std::string_view key) const;
  /// In how many tracks a word stands.
  std::uint32_t tracks_with(std::string_view stem) const;

  /// All terms in the order of the hashes of their keys (facets.h), for verification.
  struct Term {
    std::string_view key;
    Posting posting;
  };
  std::uint32_t term_count() const { return term_count_; }
  Term term(std::uint32_t number) const;
  std::string_view key(std::uint32_t number) const { return key_of(entry(number)); }
  std::optional<std::uint32_t> find(std::string_view key) const;

  /// How a term lies in the section `terms`, behind its slots.
  struct Entry {
    std::uint64_t posting = 0;  // its place in the section `postings`
    std::uint32_t key_offset = 0;
    std::uint32_t key_size = 0;
    std::array<std::uint32_t, 3> counts{};
    std::uint32_t hash_high = 0;  // of term_hash: the upper half
  };
  static_assert(sizeof(Entry) == 32);
  Entry entry(std::uint32_t number) const;

  /// For a file that is fetched by blocks: where the entries of a key lie, as far as its hash tells.
  void add_entry_places(std::string_view key, std::vector<FileRange>& places) const;
  /// And, once these are there, where the key and the posting of its term lie; nothing where there is no such term.
  /// `best_only`: of a word with a bitmap the bits and the best tracks are enough.
  void add_posting_places(std::string_view key, bool best_only, std::vector<FileRange>& places) const;

 private:
  std::string_view key_of(const Entry& entry) const;
  /// The first entry whose hash has this upper half or a greater one.
  std::uint32_t first_from(std::uint32_t hash_high) const;
  std::uint32_t hash_high_of(std::uint32_t number) const { return hash_highs_[kEntryNumbers * (number + 1) - 1]; }

  static constexpr std::size_t kEntryNumbers = sizeof(Entry) / sizeof(std::uint32_t);

  Extent postings_;
  std::uint32_t size_;
  Array<std::uint32_t> slots_;  // number of the entry plus one; 0: empty
  Extent entries_;
  Array<std::uint32_t> hash_highs_;  // the entries as numbers: the last of each
  std::uint32_t term_count_ = 0;
  Extent keys_;
};

/// About where a hash stands among `count` sorted ones that are evenly spread.
constexpr std::size_t expected_place(std::uint64_t hash, std::size_t count) {
  return static_cast<std::size_t>((hash >> 32U) * count >> 32U);
}
/// How far from there it stands in 19 cases of 20: two standard deviations.
std::size_t place_deviation(std::size_t count);

/// The first of `count` sorted hashes that is not below `hash`: the search goes out from where it is to be expected, in
/// steps that double. `at(i)` gives the i-th; both in the form of it.
template <class Hash, class At>
std::size_t first_not_below(Hash hash, std::size_t expected, std::size_t count, const At& at) {
  std::size_t low = std::min(expected, count);
  std::size_t high = low;
  for (std::size_t step = 16; low > 0 && at(low - 1) >= hash; step *= 2) low -= std::min(low, step);
  for (std::size_t step = 16; high < count && at(high) < hash; step *= 2) high += std::min(count - high, step);
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (at(middle) < hash) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// A table of numbers below `count`, to be found by the hash of what they stand for: a power of two of slots, at least
/// half of them empty; a number stands, plus one, in the first free slot from its hash on.
std::vector<std::uint32_t> make_slots(std::span<const std::uint64_t> hashes);

/// Looks a hash up among such slots: calls `is_it(number)` for each candidate until it gives true.
template <class IsIt>
std::optional<std::uint32_t> find_slot(const Array<std::uint32_t>& slots, std::uint64_t hash, const IsIt& is_it) {
  if (!std::has_single_bit(slots.size())) damaged("a hash table has the wrong size");
  for (std::size_t tried = 0; tried < slots.size(); ++tried) {
    const std::uint32_t slot = slots[(hash + tried) & (slots.size() - 1)];
    if (slot == 0) return std::nullopt;
    if (is_it(slot - 1)) return slot - 1;
  }
  damaged("a hash table is full");
}

}  // namespace tonearm::catalog
