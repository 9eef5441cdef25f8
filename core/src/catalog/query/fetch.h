#pragma once
// The one location that fetches blocks of a remote file before a call reads them. Each function is a round of parallel
// reads, `search` and `phrases` two. Results never depend on it, only time does: a block that was not fetched here is
// fetched when it is read. On a resident file nothing is fetched.

#include <span>
#include <string>
#include <vector>

#include "catalog/index/index.h"
#include "catalog/query/search_plan.h"
#include "catalog/storage/sections.h"
#include "tonearm/search.h"

namespace tonearm::catalog {

/// What opening a catalog reads first: the tables of its database, and its directory.
void fetch_tables(const SnapshotFile& file);
/// Opens the sections, and fetches what stays resident of them.
Sections open_sections(const SnapshotFile& file);

/// Safe for concurrent use as far as the file is. File and index outlive the object.
class Fetcher {
 public:
  Fetcher(const SnapshotFile& file, const Index& index) : file_(file), index_(index) {}

  bool is_remote() const { return file_.blocks() != nullptr; }

  /// First stage, what the query alone tells: the entries of all terms and phrases, then their posting lists.
  void search(const SearchPlan& plan) const;
  /// The same of phrases alone, by their hashes.
  void phrases(std::span<const std::uint64_t> hashes) const;

  // Second stage, what depends on data that was read.

  /// The entries of these keys of the term dictionary.
  void terms(std::span<const std::string> keys) const;
  /// What `TagTerms` says of these.
  void tags(const TagNumbers& tags) const;
  /// The posting lists of values of a facet: the first ones, as many as stay resident together, and one at least.
  /// Returns how many. REQUIRES: there is one.
  std::size_t facet_lists(std::span<const PostingLocation> locations) const;
  /// The names of artists, in two rounds. REQUIRES: there are these.
  void creators(std::span<const std::uint32_t> numbers) const;
  /// The columns that tell whether these tracks pass filters, each in a round of its own.
  void columns(const Filters& filters, std::span<const std::uint32_t> positions) const;
  /// What tells which of all tracks have a tempo in the range.
  void tempos(Kind kind, const Range& bpm_hundredths) const;
  template <class Value>
  void array(const Array<Value>& values) const {
    if (is_remote() && !values.empty()) fetch({values.range()});
  }
  /// Those with these indexes, as far as there are such.
  template <class Value>
  void elements(const Array<Value>& values, std::span<const std::uint32_t> indexes) const {
    if (!is_remote()) return;
    std::vector<FileRange> ranges;
    for (const std::uint32_t index : indexes) {
      if (index < values.size()) ranges.push_back(values.range_of(index));
    }
    fetch(ranges);
  }
  /// Spellings of these lengths.
  void spellings(SpellingList list, const LengthRange& lengths) const;
  /// What tells which tracks may have an id.
  void id(std::string_view id) const;
  void ids(std::span<const std::string> ids) const;
  /// The entries of the index like these values; what says which tracks have these locations; and whole fingerprints of
  /// tracks by their number, in two rounds. REQUIRES: there are these numbers.
  void fingerprint_entries(std::span<const std::uint32_t> values, std::size_t count_max) const;
  void fingerprint_tracks(std::span<const std::uint32_t> indexed_values) const;
  void fingerprints(std::span<const std::uint32_t> numbers) const;
  void file_hashes(std::span<const Sha256> hashes) const;
  /// On a resident file the processor's caches load the tracks, so that their misses overlap.
  void tracks(std::span<const std::uint32_t> positions) const;

 private:
  void fetch(const std::vector<FileRange>& ranges) const { file_.prefetch(ranges); }

  const SnapshotFile& file_;
  const Index& index_;
};

}  // namespace tonearm::catalog
