#pragma once
// An opened snapshot: read-only, and safe for concurrent use from any number of threads. The catalog finds tracks;
// core/src/api turns them into answers.
//
// Functions that read the file throw CatalogDamaged if it contradicts its format, and Failure if it cannot be read.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/catalog_changes.h"
#include "tonearm/license_receipt.h"
#include "tonearm/ports.h"
#include "tonearm/result.h"
#include "tonearm/search.h"
#include "tonearm/track.h"

namespace tonearm {

class SqliteSnapshot;  // tonearm/sqlite_snapshot.h

/// The version of the layout in docs/snapshot-format.md. Files of any other version are rejected.
inline constexpr int kSnapshotVersion = 11;

/// The rendered JSON of one track and the offsets of its values: `offsets[2 * i]` and `offsets[2 * i + 1]` are begin
/// and end of the i-th path of `table::track_paths()`. Both are 0 if the path's parent is null. A view into the
/// snapshot, valid as long as the catalog.
struct RenderedTrack {
  std::string_view json;
  std::span<const std::uint32_t> offsets;
};

/// A track found by its id, name, address or sound.
struct FoundTrack {
  std::uint32_t position = 0;
  RenderedTrack track;
};

/// A track that is heard in a piece of a mix.
struct HeardTrack {
  FoundTrack found;
  std::uint32_t begin = 0;  // indexes of values of the piece's fingerprint
  std::uint32_t end = 0;
  bool begins_track = false;  // with the first value of the track
  bool ends_track = false;
  bool is_ambiguous = false;  // another track fits equally well at that time (CREDIT-31)
};

/// The tracks that share a title or an address.
struct Namesakes {
  std::vector<FoundTrack> tracks;  // by position; empty if there are too many
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

/// The values that the catalog contains (META-1), in the order of the answer. Creators are not included: see
/// `creators`.
struct CatalogValues {
  // Indexed by Kind, then Facet; empty if the facet is not listed for the kind.
  std::array<std::array<std::vector<LabeledValue>, kFacetCount>, 2> tags;
  std::vector<Energy> energies;
  std::vector<Tone> tones;
  std::vector<std::uint8_t> categories;  // indices into kCategories, in its order
  std::vector<LicenseId> licenses;
  std::vector<SourceCount> sources;
};

/// Where the audio and the waveforms of the tracks are, for hosts that must allow it (MCP-22): origins in lower case
/// ("https://files.example"), those of most tracks first.
struct MediaOrigins {
  std::vector<std::string> audio;
  std::vector<std::string> peaks;
};

class Catalog {
 public:
  struct Options {
    bool allow_evaluation = false;  // BUILD-3: otherwise an evaluation snapshot is rejected
    Interrupted interrupted = {};   // cancels opening
  };

  /// Reads the manifest and the small tables; everything else is read in place on demand. The error says what is wrong:
  /// `internal_error`: the file is damaged; `unavailable`: another format version, an evaluation profile, a failure.
  static Result<std::shared_ptr<const Catalog>> open(const std::shared_ptr<const SqliteSnapshot>& snapshot,
                                                     const Options& options);
  virtual ~Catalog() = default;

  /// Reads the whole file and compares every block with its hash. Returns the first error found, with a code as
  /// `open`, or an error if the check was interrupted.
  virtual Result<void> check_blocks(Hashing& hashing, const Interrupted& interrupted = {}) const = 0;
  /// Returns false if the file was changed after it was opened (SnapshotFile::is_unchanged), so that results may be
  /// wrong.
  virtual bool is_unchanged() const = 0;

  /// Whether the whole file is in memory, so that reading can neither block nor fail.
  virtual bool is_in_memory() const = 0;
  /// The first 16 hex digits of the snapshot's content hash (SERVICE-8).
  virtual const std::string& version() const = 0;
  /// Identifies what answers contain: the version, and which tracks were taken down since (TAKEDOWN-3).
  virtual const std::string& revision() const = 0;
  /// Returns a catalog over the same snapshot in which the tracks with these ids are taken down (TAKEDOWN-2), and no
  /// others but those of the snapshot. Unknown ids are ignored.
  virtual std::shared_ptr<const Catalog> without(std::span<const std::string> ids) const = 0;
  /// The signature that the snapshot claims; empty if it is not signed.
  virtual const std::optional<SignatureClaim>& signature() const = 0;
  /// The number of tracks of the snapshot, including those taken down.
  virtual std::uint32_t track_count() const = 0;
  /// Returns the earlier versions since which the snapshot knows the changes, oldest first.
  virtual std::vector<std::string> known_versions() const = 0;
  /// Returns at most `limit` changes since a version, from number `offset` on (CHANGE-2). Nothing if the version is
  /// neither known nor this one.
  virtual std::optional<ChangesPage> changes(std::string_view since, std::uint32_t limit,
                                             std::uint32_t offset) const = 0;
  /// Returns the ids of the tracks that were taken down after the snapshot was written, by bytes (CHANGE-3).
  virtual std::vector<std::string> taken_down_since() const = 0;

  /// Returns the page and the total of a search by the rules of docs/spec/search.md.
  virtual Page search(const SearchQuery& query) const = 0;
  /// Returns only the total; ignores `limit`, `offset`, `sort` and `seed`.
  virtual std::uint64_t count(const SearchQuery& query) const = 0;
  /// Counts the matches for each value of the requested facets. Each facet is counted without its own parameter
  /// (SEARCH-11). Ignores `limit`, `offset`, `sort` and `seed`. Called before `search`, it fetches from a remote file
  /// what both read first. REQUIRES: the facets apply to the kind.
  virtual FacetCounts facet_counts(const SearchQuery& query, std::span<const CountedFacet> facets) const = 0;

  /// Whether `text` contains a word (SEARCH-6). A `q` without words is treated as absent.
  virtual bool has_words(std::string_view text) const = 0;
  /// A term of a query, so that suggestions can drop it.
  struct QueryTerm {
    std::size_t begin = 0;  // byte offsets in the text
    std::size_t end = 0;
    std::uint32_t clause = 0;  // terms of one clause are the same term, or one synonym
    std::uint32_t phrase = 0;  // adjacent terms that make up one synonym have the same number
    bool known = false;        // some track matches the clause, or the term filters nothing
    bool is_required = true;   // false: a function word beside other words, which filters nothing (SEARCH-5)
    // match=auto (AUTO-5); neither is required:
    bool is_negation = false;  // "no" or "without"
    bool is_unwanted = false;  // the word after it
  };
  virtual std::vector<QueryTerm> terms(std::string_view text, WordMatch match) const = 0;
  /// Returns words of the catalog that resemble `word`, which no track contains (SUGGEST-5 to SUGGEST-8): fewest edits
  /// first, then most tracks of the kind, then by bytes; at most `limit`. Returns none for a text of several words.
  virtual std::vector<std::string> near_words(std::string_view word, Kind kind, std::size_t limit) const = 0;
  /// Returns creators that resemble `name`, in the same order; none if the catalog has this creator.
  virtual std::vector<std::string> near_creators(std::string_view name, Kind kind, std::size_t limit) const = 0;

  /// Finds tracks by id, including those taken down. An unknown id gives nothing.
  virtual std::vector<std::optional<FoundTrack>> look_up(std::span<const std::string> ids) const = 0;
  /// Returns what proves the licenses of the tracks at these positions, in the same order. REQUIRES: the snapshot is
  /// signed; the positions are valid.
  virtual std::vector<LicenseReceipt> receipts(std::span<const std::uint32_t> positions, Hashing& hashing) const = 0;
  /// Finds the tracks that may have each title. Few others are among them: callers compare `words`. At most
  /// kNamesakesMax each, without taken-down tracks.
  virtual std::vector<Namesakes> look_up_titles(std::span<const TitleQuery> titles) const = 0;
  /// Finds the tracks that may have each address, in the same way.
  virtual std::vector<Namesakes> look_up_addresses(std::span<const AddressQuery> addresses) const = 0;
  /// Finds the tracks that are the same recording as each fingerprint (Chromaprint's values). Returns several only if
  /// they fit equally well (CREDIT-26). Taken-down tracks are omitted.
  virtual std::vector<std::vector<FoundTrack>> look_up_fingerprints(
      std::span<const std::vector<std::uint32_t>> fingerprints) const = 0;
  /// Finds the tracks that are heard in each piece of a mix, also under speech, by the piece's fingerprint
  /// (Chromaprint's values, CREDIT-30). In the order of their beginnings, then by position. Taken-down tracks are
  /// omitted.
  virtual std::vector<std::vector<HeardTrack>> look_up_mixes(
      std::span<const std::vector<std::uint32_t>> pieces) const = 0;
  /// Finds the tracks that each file is by its SHA-256, by position; at most kNamesakesMax. Taken-down tracks are
  /// omitted.
  virtual std::vector<std::vector<FoundTrack>> look_up_files(std::span<const Sha256> hashes) const = 0;
  /// Returns texts that complete what a person types, best first, at most `limit` (COMPLETE-1 to COMPLETE-6).
  virtual std::vector<Completion> complete(std::string_view typed, Kind kind, std::size_t limit) const = 0;
  /// Splits a text into words (SEARCH-2) without case and diacritics, not stemmed.
  virtual std::vector<std::string> words(std::string_view text) const = 0;
  /// Returns the position of the track with this id, including tracks taken down.
  virtual std::optional<std::uint32_t> find(std::string_view id) const = 0;
  /// Returns the neighbors of the track at `position`, closest first. Filters apply before paging (SIMILAR-1,
  /// SIMILAR-2).
  virtual Page similar(std::uint32_t position, const Filters& filters, std::uint32_t limit,
                       std::uint32_t offset) const = 0;
  /// Merges the neighbors of all seeds into one list: best rank in any seed's list first, then the sum of the ranks in
  /// all lists that contain the track, then id by bytes (SIMILAR-4). Ranks are those before filtering.
  virtual Page merge_similar(const MergeQuery& query) const = 0;
  /// Returns the rendered tracks at these positions, in this order.
  virtual std::vector<RenderedTrack> render(std::span<const std::uint32_t> positions) const = 0;

  virtual const CatalogValues& values() const = 0;
  virtual const MediaOrigins& media_origins() const = 0;
  /// Returns creators whose name contains `contains` (case-insensitive; empty: all): most tracks first, then name by
  /// bytes; at most `limit`.
  virtual std::vector<CreatorCount> creators(std::string_view contains, std::size_t limit) const = 0;
  /// Whether the track at `position` was taken down. Such a track is found only by its id (TRACK-6).
  virtual bool is_taken_down(std::uint32_t position) const = 0;
};

}  // namespace tonearm
