#pragma once
// The inverted index: from a word, or a value of a facet, to the tracks that have it. Constant, safe for concurrent
// use. Reading throws sql::Failure where the file is damaged.

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
  std::optional<Posting> facet(std::string_view facet, std::string_view value) const;
  /// In how many tracks a word stands.
  std::uint32_t tracks_with(std::string_view stem) const;

  /// All terms in the order of their keys (facets.h), for verification.
  struct Term {
    std::string_view key;
    Posting posting;
  };
  std::uint32_t term_count() const { return term_count_; }
  Term term(std::uint32_t number) const;
  std::optional<std::uint32_t> find(std::string_view key) const;

  /// How a term lies in the section `terms`, behind its slots.
  struct Entry {
    std::uint64_t posting = 0;  // its place in the section `postings`
    std::uint32_t key_offset = 0;
    std::uint32_t key_size = 0;
    std::array<std::uint32_t, 3> counts{};
    std::uint32_t reserved = 0;
  };
  static_assert(sizeof(Entry) == 32);

 private:
  std::string_view key_of(const Entry& entry) const;

  Entry entry(std::uint32_t number) const;

  Extent postings_;
  std::uint32_t size_;
  Array<std::uint32_t> slots_;  // number of the entry plus one; 0: empty
  Extent entries_;
  std::uint32_t term_count_ = 0;
  Extent keys_;
};

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
