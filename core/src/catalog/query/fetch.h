#pragma once
// The only class that fetches blocks of a remote file before a call reads them. Each function is one round of parallel
// reads, unless it says otherwise. Results never depend on it: a block that was not fetched here is fetched when it is
// read. On a resident file nothing is fetched.

#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "catalog/index/hash.h"
#include "catalog/index/index.h"
#include "catalog/query/search_plan.h"
#include "catalog/storage/sections.h"
#include "tonearm/search.h"

namespace tonearm::catalog {

/// Fetches what opening a catalog reads first: the tables of the database and the directory.
void fetch_tables(const SnapshotFile& file);
/// Opens the sections and fetches their resident parts.
Sections open_sections(const SnapshotFile& file);

/// What counting facets looks up first, known from the query.
struct FacetEntries {
  std::vector<std::string> keys;  // of the term dictionary
  std::vector<TagNumbers> tags;
};
/// What counting facets reads next.
struct FacetLists {
  std::vector<std::string> keys;           // of posting lists; their entries are fetched
  std::vector<PostingLocation> locations;  // of further posting lists
  PositionRange creators;                  // the tracks whose artists are read

  bool is_empty() const { return keys.empty() && locations.empty() && creators.size() == 0; }
};

/// As safe for concurrent use as the file. File and index must outlive the object.
class Fetcher {
 public:
  Fetcher(const SnapshotFile& file, const Index& index) : file_(file), index_(index) {}

  bool is_remote() const { return file_.blocks() != nullptr; }

  /// Stage one, known from the query alone: the entries of all terms and phrases, then their posting lists, in two
  /// rounds.
  void search(const SearchPlan& plan) const {
    entries(plan, {});
    lists(plan, {});
  }
  /// The same two rounds together with what counting facets reads: of the lists, as many as can be resident together.
  void entries(const SearchPlan& plan, const FacetEntries& facets) const;
  void lists(const SearchPlan& plan, const FacetLists& facets) const;
  /// The posting lists of related words (AUTO-3), after `search`.
  void related(const SearchPlan& plan) const;
  /// Fetches the entries and positions of phrases by their hashes, in two rounds.
  void phrases(std::span<const std::uint64_t> hashes) const;

  // Stage two, known only after data was read.

  /// Fetches the entries of these keys of the term dictionary.
  void terms(std::span<const std::string> keys) const;
  /// Fetches the posting list locations of these tags.
  void tags(const TagNumbers& tags) const;
  /// Fetches the posting lists of a facet's values: the first ones, as many as can be resident together, but at least
  /// one. Returns their number. REQUIRES: `locations` is not empty.
  std::size_t facet_lists(std::span<const PostingLocation> locations) const;
  /// Fetches the numbers of the artists of these tracks, or of all in the range if there are none, and the starts
  /// of the names, unless there are too many artists.
  void creator_numbers(const PositionRange& range, std::span<const std::uint32_t> positions) const;
  /// Fetches the names of artists, after `creator_numbers`. REQUIRES: the numbers are valid.
  void creators(std::span<const std::uint32_t> numbers) const;
  /// Fetches the columns that filters need for these tracks, in one round per column.
  void columns(const Filters& filters, std::span<const std::uint32_t> positions) const;
  /// Fetches what TempoOrder::slice and the smaller set of tracks need.
  void tempos(Kind kind, const Range& bpm_hundredths) const;
  template <class Value>
  void array(const Array<Value>& values) const {
    if (is_remote() && !values.empty()) fetch({values.range()});
  }
  /// Fetches the elements with these indexes; ignores indexes past the end.
  template <class Value>
  void elements(const Array<Value>& values, std::span<const std::uint32_t> indexes) const {
    fetch_round([&](auto& ranges) {
      for (const std::uint32_t index : indexes) {
        if (index < values.size()) ranges.push_back(values.range_of(index));
      }
    });
  }
  /// Fetches the completions of these texts.
  void completions(Kind kind, std::span<const std::string> typed) const;
  /// Fetches the spellings of these lengths.
  void spellings(SpellingList list, const LengthRange& lengths) const;
  /// Fetch what IdIndex::candidates reads.
  void id(std::string_view id) const;
  void ids(std::span<const std::string> ids) const;
  /// Fetch, in this order: the index entries similar to values; what tells which tracks contain indexed values; the
  /// stored fingerprints of tracks by number, in two rounds. REQUIRES: the numbers are valid.
  void fingerprint_entries(std::span<const std::uint32_t> values, std::size_t count_max) const;
  void fingerprint_tracks(std::span<const std::uint32_t> indexed_values) const;
  void fingerprints(std::span<const std::uint32_t> numbers) const;
  void file_hashes(std::span<const Sha256> hashes) const;
  /// Fetches what makes the receipts of these tracks. REQUIRES: the positions are valid.
  void receipts(std::span<const std::uint32_t> positions) const;
  /// Returns `make()`: a vector of plain values that are made of many blocks. If the call is replayed, `make` is
  /// completed only once, and its blocks need not stay available after that. `kind`, `number` and `input` identify the
  /// result within the call.
  template <class Make>
  auto partial_result(std::string_view kind, std::size_t number, std::span<const std::uint32_t> input,
                      const Make& make) const;
  /// On a resident file, loads the tracks into the processor's caches in parallel.
  void tracks(std::span<const std::uint32_t> positions) const;

 private:
  /// For a remote file: fetches the ranges that `add` adds.
  template <class Add>
  void fetch_round(const Add& add) const {
    if (!is_remote()) return;
    std::vector<FileRange> ranges;
    add(ranges);
    fetch(ranges);
  }
  void add_target_ranges(const ThesaurusTarget& target, PostingParts parts, std::vector<FileRange>& ranges) const;
  void add_creator_starts(std::vector<FileRange>& ranges) const;
  void fetch(const std::vector<FileRange>& ranges) const { file_.prefetch(ranges); }

  const SnapshotFile& file_;
  const Index& index_;
};

template <class Make>
auto Fetcher::partial_result(std::string_view kind, std::size_t number, std::span<const std::uint32_t> input,
                             const Make& make) const {
  using Values = decltype(make());
  static_assert(std::is_trivially_copyable_v<typename Values::value_type>);
  PartialResults* results = file_.partial_results();
  if (results == nullptr) return make();
  const std::string key =
      std::string(kind) + " " + std::to_string(number) + " " + std::to_string(hash64(raw_bytes(input)));
  if (const std::optional<std::string> stored = results->find(key)) {
    Values values(stored->size() / sizeof(typename Values::value_type));
    if (!values.empty()) std::memcpy(values.data(), stored->data(), stored->size());
    return values;
  }
  Values values = make();
  results->store(key, raw_bytes(values));
  return values;
}

}  // namespace tonearm::catalog
