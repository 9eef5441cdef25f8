#pragma once
// The term dictionary: maps a text term or a facet's value to its posting list. Constant, safe for concurrent use.
// Reading throws CatalogDamaged if the file is damaged.

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
  /// The sections must outlive the index.
  TermIndex(const Sections& sections, std::uint32_t size);

  /// Returns the posting list of a key (facets.h); nothing if no track has the term.
  std::optional<PostingList> posting_list(std::string_view key) const;
  /// Returns the number of tracks among music, effects and speech; zeros if the key is unknown.
  std::array<std::uint32_t, 3> counts(std::string_view key) const;
  /// Returns the location of a key's posting list; nothing if the key is unknown.
  std::optional<PostingLocation> location(std::string_view key) const;
  /// Returns the posting list of a facet's value.
  PostingList facet_list(const PostingLocation& location) const;
  /// For a remote file: the range of that list.
  FileRange facet_list_range(const PostingLocation& location) const;
  /// Returns the posting list of a text term.
  PostingList text_list(const PostingLocation& location) const;
  /// For a remote file: the range of those parts of that list.
  FileRange text_list_range(const PostingLocation& location, PostingParts parts) const;
  /// Returns the number of tracks that contain a text term (a stem of the tokenizer).
  std::uint32_t document_frequency(std::string_view stem) const;

  /// For verification: all terms, in the order of the hashes of their keys.
  struct Term {
    std::string_view key;
    PostingList posting_list;
  };
  std::uint32_t term_count() const { return term_count_; }
  Term term(std::uint32_t number) const;
  /// The size of the keys that are stored after the entries.
  std::uint64_t keys_size() const { return keys_.size(); }
  /// Throws CatalogDamaged if the sparse index does not match the entries.
  void check_sparse_index() const;
  std::string_view key(std::uint32_t number) const { return key_of(number, entry(number)); }
  std::optional<std::uint32_t> find(std::string_view key) const;

  /// A term of the section `terms`. The entries follow the slots.
  struct Entry {
    std::uint64_t posting_list = 0;  // offset in the section `postings`
    std::uint32_t key_offset = 0;    // of a key longer than `key`: its offset after the entries
    std::uint32_t key_size = 0;
    std::array<std::uint32_t, 3> counts{};
    std::uint32_t hash_high = 0;  // the upper half of term_hash
    std::array<char, 24> key{};   // a short key, padded with zeros

    bool has_key() const { return key_size <= key.size(); }
  };
  static_assert(sizeof(Entry) == 56);
  /// 7 KiB of entries.
  static constexpr std::size_t kSparseStep = 128;
  Entry entry(std::uint32_t number) const;

  /// Whether the entry of the key contains it: then nothing else is read to find it.
  static bool is_short(std::string_view key) { return key.size() <= sizeof(Entry::key); }

  /// For a remote file: adds the range that contains the entry of a key if any does.
  void add_entry_range(std::string_view key, std::vector<FileRange>& ranges) const;
  /// For a remote file: reads the entry and adds the range of its posting list. Adds nothing for an unknown key.
  void add_posting_list_ranges(std::string_view key, PostingParts parts, std::vector<FileRange>& ranges) const;

 private:
  /// Valid as long as SnapshotFile::bytes says.
  std::string_view key_of(std::uint32_t number, const Entry& entry) const;
  /// The offsets and lengths of the section's arrays.
  struct Offsets {
    explicit Offsets(const Extent& terms);
    std::uint32_t slot_count = 0;
    std::uint32_t term_count = 0;
    std::uint64_t slots = 0;
    std::uint64_t entries = 0;
    std::uint64_t keys = 0;
  };
  TermIndex(const Sections& sections, std::uint32_t size, const Offsets& offsets);
  /// Calls `visit(number, entry)` for the terms whose hash has the same upper half as that of `key`, until it returns
  /// false.
  template <class Visit>
  void each_with_hash(std::string_view key, const Visit& visit) const;
  std::uint32_t hash_high_of(std::size_t number) const {
    return entry_numbers_[static_cast<std::size_t>(kEntryNumbers) * number + kHashHigh];
  }

  static constexpr std::uint64_t kEntryNumbers = sizeof(Entry) / sizeof(std::uint32_t);
  static constexpr std::size_t kHashHigh = offsetof(Entry, hash_high) / sizeof(std::uint32_t);

  Extent postings_;
  std::uint32_t size_;
  std::uint32_t term_count_;
  SparseIndex sparse_;          // of the hashes' upper halves
  Array<std::uint32_t> slots_;  // the number of the entry plus one; 0: free
  Extent entries_;
  Array<std::uint32_t> entry_numbers_;  // `entries_` as numbers
  Extent keys_;
};

/// Builds an open-addressing hash table of the numbers below hashes.size(): a power of two of slots, at least half of
/// them free. Number i is stored as i + 1 in the first free slot from its hash on.
std::vector<std::uint32_t> make_slots(std::span<const std::uint64_t> hashes);

/// Looks up a hash in such slots: calls `is_it(number)` for each candidate until it returns true.
template <class IsIt>
std::optional<std::uint32_t> find_slot(const Array<std::uint32_t>& slots, std::uint64_t hash, const IsIt& is_it) {
  if (!std::has_single_bit(slots.size())) throw_damaged("a hash table has the wrong size");
  for (std::size_t tried = 0; tried < slots.size(); ++tried) {
    const std::uint32_t slot = slots[(hash + tried) & (slots.size() - 1)];
    if (slot == 0) return std::nullopt;
    if (is_it(slot - 1)) return slot - 1;
  }
  throw_damaged("a hash table is full");
}

}  // namespace tonearm::catalog
