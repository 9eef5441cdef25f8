#pragma once
// Maps a phrase of a query to narrower and related phrases, with the locations of their posting lists
// (docs/snapshot-format.md, `thesaurus`): a search of a remote file reads them together with the entries of its own
// terms. Constant once opened, safe for concurrent use. Throws CatalogDamaged if the file is damaged.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/posting_list.h"
#include "catalog/index/sparse_index.h"
#include "tonearm/thesaurus.h"

namespace tonearm::catalog {

/// Of each relation, an entry has at most this many targets.
inline constexpr std::size_t kNarrowerMax = 48;
inline constexpr std::size_t kRelatedMax = 24;

/// Matches a track that contains all of its terms.
struct ThesaurusTarget {
  Relation relation = Relation::narrower;
  std::uint8_t weight = 0;             // 1..255, in 256ths of the weight of the phrase
  std::vector<PostingLocation> terms;  // 1 to kRelatedWordsMax, in the order of their stems

  friend bool operator==(const ThesaurusTarget&, const ThesaurusTarget&) = default;
};

struct ThesaurusEntry {
  std::uint64_t phrase_hash = 0;
  std::vector<ThesaurusTarget> targets;  // narrower ones first, then by descending weight
};

/// REQUIRES: the tokenizer's stems of 1 to kRelatedWordsMax words, in the order of the text.
std::uint64_t thesaurus_hash(std::span<const std::string> stems);

/// Returns the section. REQUIRES: the hashes differ.
std::string encode_thesaurus(std::vector<ThesaurusEntry> entries);

class Thesaurus {
 public:
  /// The section must outlive the object.
  explicit Thesaurus(const Extent& section);

  /// Returns the targets of a phrase; none if it has no entry.
  std::vector<ThesaurusTarget> find(std::uint64_t phrase_hash) const;
  /// For a remote file: adds the range that contains the entry of a phrase if any does.
  void add_entry_range(std::uint64_t phrase_hash, std::vector<FileRange>& ranges) const;

 private:
  /// The range of the entries that may be that of the phrase.
  struct EntriesRange {
    std::uint64_t offset = 0;  // in `entries_`
    std::uint64_t size = 0;
  };
  EntriesRange candidates(std::uint64_t phrase_hash) const;

  std::uint32_t entry_count_;
  SparseIndex sparse_;                     // of the hashes' upper halves
  Array<std::uint32_t> starts_;            // of the entries in the sparse index
  std::vector<std::uint32_t> own_starts_;  // if the file is remote
  Extent entries_;
};

}  // namespace tonearm::catalog
