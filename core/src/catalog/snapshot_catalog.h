#pragma once
// The catalog over an opened snapshot. Its state is constant; each call borrows a SearchContext for mutable data.
// Catalogs without further tracks (`without`) share everything but the small objects of the index.

#include "catalog/lookup/changes.h"
#include "catalog/lookup/completer.h"
#include "catalog/lookup/mix_lookup.h"
#include "catalog/lookup/muted_tracks.h"
#include "catalog/lookup/name_lookup.h"
#include "catalog/lookup/sound_lookup.h"
#include "catalog/lookup/track_lookup.h"
#include "catalog/query/facet_counts.h"
#include "catalog/query/search.h"
#include "catalog/query/search_context.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

class SnapshotCatalog final : public Catalog {
 public:
  /// Throws Failure, CatalogDamaged if the file is damaged. Rejects an evaluation snapshot unless it is allowed
  /// (BUILD-3). `kernels`: one of those that this processor supports.
  SnapshotCatalog(const std::shared_ptr<const SqliteSnapshot>& snapshot, const Options& options,
                  const Kernels& kernels);
  /// Shares the snapshot of `other`.
  SnapshotCatalog(const SnapshotCatalog& other, TakenDown taken_down);
  SnapshotCatalog(const SnapshotCatalog&) = delete;
  SnapshotCatalog& operator=(const SnapshotCatalog&) = delete;

  Result<void> check_blocks(Hashing& hashing, const Interrupted& interrupted) const override;
  bool is_unchanged() const override { return opened_->snapshot->file().is_unchanged(); }
  bool is_in_memory() const override { return !fetcher_.is_remote(); }
  const std::string& version() const override { return opened_->version; }
  const std::string& revision() const override { return revision_; }
  std::shared_ptr<const Catalog> without(std::span<const std::string> ids) const override;
  const std::optional<SignatureClaim>& signature() const override { return opened_->signature; }
  std::uint32_t track_count() const override { return index_.layout.size; }
  std::vector<std::string> known_versions() const override;
  std::optional<ChangesPage> changes(std::string_view since, std::uint32_t limit, std::uint32_t offset) const override {
    return find_changes(since, {offset, limit}, opened_->sections[SectionId::changes], opened_->version);
  }
  std::vector<std::string> taken_down_since() const override;
  Page search(const SearchQuery& query) const override { return search_.page(query, *context()); }
  std::uint64_t count(const SearchQuery& query) const override { return search_.count(query, *context()); }
  FacetCounts facet_counts(const SearchQuery& query, std::span<const CountedFacet> facets) const override {
    return facet_counter_.count(query, facets, *context());
  }
  bool has_words(std::string_view text) const override { return !context()->tokenizer.tokens(text).empty(); }
  std::vector<QueryTerm> terms(std::string_view text, WordMatch match) const override {
    return search_.terms(text, match, *context());
  }
  std::vector<std::string> near_words(std::string_view word, Kind kind, std::size_t limit) const override;
  std::vector<std::string> near_creators(std::string_view name, Kind kind, std::size_t limit) const override;
  std::vector<Completion> complete(std::string_view typed, Kind kind, std::size_t limit) const override {
    return completer_.complete(typed, kind, limit, *context());
  }
  std::vector<std::optional<FoundTrack>> look_up(std::span<const std::string> ids) const override;
  std::vector<LicenseReceipt> receipts(std::span<const std::uint32_t> positions, Hashing& hashing) const override;
  std::vector<Namesakes> look_up_titles(std::span<const TitleQuery> titles) const override {
    return names_.look_up_titles(titles, context()->tokenizer);
  }
  std::vector<Namesakes> look_up_addresses(std::span<const AddressQuery> addresses) const override {
    return names_.look_up_addresses(addresses);
  }
  std::vector<std::vector<FoundTrack>> look_up_fingerprints(
      std::span<const std::vector<std::uint32_t>> fingerprints) const override {
    return sounds_.look_up_fingerprints(fingerprints);
  }
  std::vector<std::vector<HeardTrack>> look_up_mixes(
      std::span<const std::vector<std::uint32_t>> pieces) const override {
    return mixes_.look_up_mixes(pieces);
  }
  std::vector<std::vector<FoundTrack>> look_up_files(std::span<const Sha256> hashes) const override {
    return sounds_.look_up_files(hashes);
  }
  std::vector<std::string> words(std::string_view text) const override;
  std::optional<std::uint32_t> find(std::string_view id) const override { return lookup_.find(id); }
  bool is_taken_down(std::uint32_t position) const override {
    return position >= index_.layout.speech_end || index_.taken_down.contains(position);
  }
  Page similar(std::uint32_t position, const Filters& filters, std::uint32_t limit,
               std::uint32_t offset) const override;
  Page merge_similar(const MergeQuery& query) const override;
  std::vector<RenderedTrack> render(std::span<const std::uint32_t> positions) const override;
  const CatalogValues& values() const override { return opened_->values; }
  const MediaOrigins& media_origins() const override { return opened_->media_origins; }
  std::vector<CreatorCount> creators(std::string_view contains, std::size_t limit) const override;

 private:
  /// The content of the database's tables.
  struct Tables {
    Manifest manifest;
    CatalogValues values;
    Synonyms synonyms;
  };
  /// What all catalogs over one snapshot share.
  struct Opened {
    Opened(std::shared_ptr<const SqliteSnapshot> from, const Kernels& kernels, Tables tables);

    std::shared_ptr<const SqliteSnapshot> snapshot;
    const Kernels& kernels;
    std::unique_ptr<SearchContextPool> contexts;
    Sections sections;
    Layout layout;
    CatalogValues values;
    MediaOrigins media_origins;
    Synonyms synonyms;
    std::string version;
    std::optional<SignatureClaim> signature;
  };

  SnapshotCatalog(std::shared_ptr<const Opened> opened, TakenDown taken_down);
  static Tables read_tables(const SqliteSnapshot& snapshot, const Options& options);
  SearchContextPool::Lease context() const { return opened_->contexts->borrow(); }

  std::shared_ptr<const Opened> opened_;
  Index index_;
  Fetcher fetcher_;
  TrackLookup lookup_;
  NameLookup names_;
  SoundLookup sounds_;
  MixLookup mixes_;
  Search search_;
  FacetCounter facet_counter_;
  Completer completer_;
  std::string revision_;
  std::unique_ptr<MutedTracks> muted_tracks_ = std::make_unique<MutedTracks>();
};

}  // namespace tonearm::catalog
