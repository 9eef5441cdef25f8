#pragma once
// An opened snapshot: read-only, and safe for concurrent use from any number of threads. It says
// what matches; core/src/api makes answers of that.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/ports.h"
#include "tonearm/result.h"
#include "tonearm/search.h"
#include "tonearm/track.h"

namespace tonearm {

class SqliteSnapshot;  // tonearm/sqlite_snapshot.h

/// The number of the layout described in docs/snapshot-format.md. A file of another version is refused.
inline constexpr int kSnapshotVersion = 8;

/// The rendered JSON of one track, and where the value of each path of the Track type lies in it:
/// `offsets[2 * i]`, `offsets[2 * i + 1]` are begin and end of the i-th path of `table::track_paths()`; both
/// are 0 where the path's parent is null. A view into the snapshot, valid as long as the catalog.
struct RenderedTrack {
  std::string_view json;
  std::span<const std::uint32_t> offsets;
};

/// A track that was looked up by its id.
struct FoundTrack {
  std::uint32_t position = 0;
  RenderedTrack track;
};

/// The tracks of one name or address.
struct Namesakes {
  std::vector<FoundTrack> tracks;  // by position; none where they are too many
  bool are_too_many = false;
};

struct LabeledValue {
  std::string id;
  std::string label;

  friend bool operator==(const LabeledValue&, const LabeledValue&) = default;
};

struct SourceCount {
  std::string id;  // the domain
  std::string name;
  std::uint64_t track_count = 0;
};

struct CreatorCount {
  std::string name;
  std::uint64_t track_count = 0;
};

/// What the catalog has (META-1): all but the creators, whole and in the order of the answer.
struct CatalogValues {
  // Indexed by Kind, then Facet; empty where the facet is not listed for the kind.
  std::array<std::array<std::vector<LabeledValue>, kFacetCount>, 2> tags;
  std::vector<Energy> energies;
  std::vector<Tone> tones;
  std::vector<std::uint8_t> categories;  // indices into kCategories, in its order
  std::vector<LicenseId> licenses;
  std::vector<SourceCount> sources;
};

class Catalog {
 public:
  struct Options {
    bool allow_evaluation = false;  // BUILD-3: an evaluation snapshot is refused otherwise
    Interrupted interrupted = {};   // gives up opening
  };

  /// Reads the manifest and the small tables; all else is read in place when it is asked for. Errors name
  /// what is wrong: another format version, an evaluation profile, a damaged file.
  static Result<std::shared_ptr<const Catalog>> open(const std::shared_ptr<const SqliteSnapshot>& snapshot,
                                                     const Options& options);
  virtual ~Catalog() = default;

  /// Compares every block of the file with its hash: reads all of it. Returns the first error found, or one that says
  /// that it was interrupted.
  virtual Result<void> check_blocks(Hashing& hashing, const Interrupted& interrupted = {}) const = 0;
  /// False: the file was changed since it was opened (SnapshotFile::is_unchanged), so what was read may be wrong.
  virtual bool is_unchanged() const = 0;

  /// Whether reading can neither fail nor wait.
  virtual bool is_in_memory() const = 0;
  /// The first 16 hex digits of the snapshot's content hash (SERVICE-8).
  virtual const std::string& version() const = 0;
  /// Number of tracks, those taken down included.
  virtual std::uint32_t track_count() const = 0;

  /// Page and total of a search, by the rules of docs/spec/search.md.
  virtual Page search(const SearchQuery& query) const = 0;
  /// The total alone; `limit`, `offset`, `sort` and `seed` are ignored.
  virtual std::uint64_t count(const SearchQuery& query) const = 0;
  /// How many matches have which values of the facets asked for, each facet without its own parameter (SEARCH-11);
  /// `limit`, `offset`, `sort` and `seed` are ignored. REQUIRES: the facets apply to the kind.
  virtual FacetCounts facet_counts(const SearchQuery& query, std::span<const CountedFacet> facets) const = 0;

  /// True if `text` has at least one word (SEARCH-6): without one it counts as no `q`.
  virtual bool has_words(std::string_view text) const = 0;
  /// A term of a query, for suggestions that leave it out.
  struct QueryTerm {
    std::size_t begin = 0;  // where it is in the text, in bytes
    std::size_t end = 0;
    std::uint32_t clause = 0;  // terms of one clause are the same term, or make up one synonym
    std::uint32_t phrase = 0;  // of adjacent terms: the synonym that they make up together
    bool known = false;        // some track has what the clause asks for, or a synonym of it; or it excludes nothing
    bool is_required = true;   // false: a function word beside others, which excludes nothing (SEARCH-5)
  };
  virtual std::vector<QueryTerm> terms(std::string_view text) const = 0;
  /// Words that tracks have and that `word`, one that none has, may have meant (SUGGEST-5 to SUGGEST-8): fewest edits
  /// first, then most tracks of the kind, then as bytes; at most `limit`. None for a text of several words.
  virtual std::vector<std::string> near_words(std::string_view word, Kind kind, std::size_t limit) const = 0;
  /// The same of creators; none if the catalog has this one.
  virtual std::vector<std::string> near_creators(std::string_view name, Kind kind, std::size_t limit) const = 0;

  /// The tracks with these ids, taken-down ones included; nothing where an id has none.
  virtual std::vector<std::optional<FoundTrack>> look_up(std::span<const std::string> ids) const = 0;
  /// Of each title the tracks that may be called so, and hardly another: who asks compares their `words`. Not more than
  /// kNamesakesMax; taken-down tracks are not among them.
  virtual std::vector<Namesakes> look_up_titles(std::span<const TitleQuery> titles) const = 0;
  /// Of each address the tracks that may have it, in the same way.
  virtual std::vector<Namesakes> look_up_addresses(std::span<const AddressQuery> addresses) const = 0;
  /// Of each fingerprint (Chromaprint's values) the tracks that are that recording: several only if they fit equally
  /// well (CREDIT-26). Taken-down tracks are not among them.
  virtual std::vector<std::vector<FoundTrack>> look_up_fingerprints(
      std::span<const std::vector<std::uint32_t>> fingerprints) const = 0;
  /// Of each SHA-256 of a file the tracks that it is, by position; at most kNamesakesMax. Taken-down tracks are not
  /// among them.
  virtual std::vector<std::vector<FoundTrack>> look_up_files(std::span<const Sha256> hashes) const = 0;
  /// The words of a text (SEARCH-2), without case and diacritics, not stemmed.
  virtual std::vector<std::string> words(std::string_view text) const = 0;
  /// Position of the track with that id, taken-down ones included.
  virtual std::optional<std::uint32_t> find(std::string_view id) const = 0;
  /// Neighbors of the track at `position`, closest first, filtered before paging (SIMILAR-1, SIMILAR-2).
  virtual Page similar(std::uint32_t position, const Filters& filters, std::uint32_t limit,
                       std::uint32_t offset) const = 0;
  /// The neighbors of all seeds in one list: best rank in any of the seeds' lists first, then the sum of its ranks in
  /// those that hold the track, then id as bytes (SIMILAR-4). Ranks are those before filters.
  virtual Page merge_similar(const MergeQuery& query) const = 0;
  /// The rendered tracks at these positions, in this order.
  virtual std::vector<RenderedTrack> render(std::span<const std::uint32_t> positions) const = 0;

  virtual const CatalogValues& values() const = 0;
  /// Creators whose name contains `contains` (case-insensitive; empty: all), most tracks first, then name
  /// as bytes; at most `limit`.
  virtual std::vector<CreatorCount> creators(std::string_view contains, std::size_t limit) const = 0;
  /// Whether the track at `position` was taken down: then it is only found by its id (TRACK-6).
  virtual bool is_taken_down(std::uint32_t position) const = 0;
};

}  // namespace tonearm
