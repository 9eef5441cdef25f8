#pragma once
// The term dictionary: from a term, or the value of a facet, to its posting list. Constant, safe for concurrent use.
// Reading throws Failure if the file is damaged.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "catalog/index/layout.h"
#include "catalog/index/posting_list.h"
#include "catalog/index/sparse_index.h"
#include "catalog/storage/sections.h"

namespace tonearm::catalog {

class TermIndex {
 public:
  /// The sections outlive the index.
  TermIndex(const Sections& sections, std::uint32_t size);

  /// The tracks that have what a key (facets.h) stands for; nothing if none has it.
  std::optional<PostingList> posting_list(std::string_view key) const;
  /// How many tracks among music, effects and speech have it.
  std::array<std::uint32_t, 3> counts(std::string_view key) const;
  /// Where the posting list of a key is; nothing if there is no such key.
  std::optional<PostingPlace> place(std::string_view key) const;
  /// That of a facet's value.
  PostingList facet_list(const PostingPlace& place) const;
  /// For a remote file: where that list is.
  FileRange facet_list_range(const PostingPlace& place) const;
  /// How many tracks contain a term (a stem of the tokenizer).
  std::uint32_t tracks_with(std::string_view stem) const;

  /// All terms in the order of the hashes of their keys, for verification.
  struct Term {
    std::string_view key;
    PostingList posting_list;
  };
  std::uint32_t term_count() const { return term_count_; }
  Term term(std::uint32_t number) const;
  /// Of the longer keys, which follow the entries.
  std::uint64_t keys_size() const { return keys_.size(); }
  /// Throws if the sparse index is not that of the entries.
  void check_sparse_index() const;
  std::string_view key(std::uint32_t number) const { return key_of(number, entry(number)); }
  std::optional<std::uint32_t> find(std::string_view key) const;

  /// How the section `terms` stores a term, after the slots.
  struct Entry {
    std::uint64_t posting_list = 0;  // offset in the section `postings`
    std::uint32_t key_offset = 0;    // of a key longer than `key`: where it starts after the entries
    std::uint32_t key_size = 0;
    std::array<std::uint32_t, 3> counts{};
    std::uint32_t hash_high = 0;  // of term_hash: the upper half
    std::array<char, 24> key{};   // a shorter one, padded with zeros

    bool has_key() const { return key_size <= key.size(); }
  };
  static_assert(sizeof(Entry) == 56);
  /// 7 KiB of entries.
  static constexpr std::size_t kSparseStep = 128;
  Entry entry(std::uint32_t number) const;

  /// For a remote file: adds where the entry of a key must be, if it has one.
  void add_entry_range(std::string_view key, std::vector<FileRange>& ranges) const;
  /// Reads the entry; adds where the posting list is. Nothing if there is no such term.
  void add_posting_list_ranges(std::string_view key, PostingParts parts, std::vector<FileRange>& ranges) const;

 private:
  /// Valid as long as SnapshotFile::bytes says.
  std::string_view key_of(std::uint32_t number, const Entry& entry) const;
  /// Where the arrays of the section start, and their lengths.
  struct Offsets {
    explicit Offsets(const Extent& terms);
    std::uint32_t slot_count = 0;
    std::uint32_t term_count = 0;
    std::uint64_t slots = 0;
    std::uint64_t entries = 0;
    std::uint64_t keys = 0;
  };
  TermIndex(const Sections& sections, std::uint32_t size, const Offsets& offsets);
  /// Calls `visit(number, entry)` for the terms whose hash has the upper half of that of `key`, until it returns false.
  template <class Visit>
  void each_like(std::string_view key, const Visit& visit) const;
  std::uint32_t hash_high_of(std::size_t number) const {
    return entry_numbers_[static_cast<std::size_t>(kEntryNumbers) * number + kHashHigh];
  }

  static constexpr std::uint64_t kEntryNumbers = sizeof(Entry) / sizeof(std::uint32_t);
  static constexpr std::size_t kHashHigh = offsetof(Entry, hash_high) / sizeof(std::uint32_t);

  Extent postings_;
  std::uint32_t size_;
  std::uint32_t term_count_;
  SparseIndex sparse_;          // of the hashes' upper halves
  Array<std::uint32_t> slots_;  // number of the entry plus one; 0: empty
  Extent entries_;
  Array<std::uint32_t> entry_numbers_;  // the same as numbers
  Extent keys_;
};

/// An open-addressing hash table of the numbers below `count`, by the hash of what they stand for: a power of two of
/// slots, at least half of them empty. A number is stored, plus one, in the first free slot from its hash on.
std::vector<std::uint32_t> make_slots(std::span<const std::uint64_t> hashes);

/// Looks up a hash in such slots: calls `is_it(number)` for each candidate until it returns true.
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
