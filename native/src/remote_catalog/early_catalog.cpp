#include "remote_catalog/early_catalog.h"

#include <mutex>
#include <type_traits>
#include <utility>

namespace tonearm::native {
namespace {

/// What all catalogs over one snapshot share.
struct EarlyState {
  std::shared_ptr<const EarlySnapshot> snapshot;
  BlockWait wait;
  std::mutex mutex;  // of the snapshot, and of everything that reads it
};

/// Runs `call` and replays it until it lacks no block.
template <class Call>
std::invoke_result_t<const Call&> replayed(EarlyState& state, const BlockWait& wait, const Call& call) {
  while (true) {
    std::vector<std::uint32_t> missing;
    {
      const std::lock_guard lock(state.mutex);
      try {
        auto result = call();
        missing = state.snapshot->take_missing();
        if (missing.empty()) return result;
      } catch (const BlocksMissing&) {
        missing = state.snapshot->take_missing();
      } catch (const Failure&) {  // also of SQLite, if a block is missing
        missing = state.snapshot->take_missing();
        if (missing.empty()) throw;
      }
    }
    wait(missing);
  }
}

class EarlyCatalog final : public Catalog {
 public:
  EarlyCatalog(std::shared_ptr<EarlyState> state, std::shared_ptr<const Catalog> catalog)
      : state_(std::move(state)), catalog_(std::move(catalog)) {}

  Result<void> check_blocks(Hashing& /*hashing*/, const Interrupted& /*interrupted*/) const override {
    return Error{ErrorCode::unavailable, "it is not complete yet"};
  }
  /// Each block was verified when it arrived, and no one else writes to the file.
  bool is_unchanged() const override { return true; }
  bool is_in_memory() const override { return false; }
  const std::string& version() const override { return catalog_->version(); }
  const std::string& revision() const override { return catalog_->revision(); }
  std::shared_ptr<const Catalog> without(std::span<const std::string> ids) const override {
    return std::make_shared<const EarlyCatalog>(state_, run([&] { return catalog_->without(ids); }));
  }
  const std::optional<SignatureClaim>& signature() const override { return catalog_->signature(); }
  std::uint32_t track_count() const override { return catalog_->track_count(); }
  Page search(const SearchQuery& query) const override {
    return run([&] { return catalog_->search(query); });
  }
  std::uint64_t count(const SearchQuery& query) const override {
    return run([&] { return catalog_->count(query); });
  }
  FacetCounts facet_counts(const SearchQuery& query, std::span<const CountedFacet> facets) const override {
    return run([&] { return catalog_->facet_counts(query, facets); });
  }
  bool has_words(std::string_view text) const override {
    return run([&] { return catalog_->has_words(text); });
  }
  std::vector<QueryTerm> terms(std::string_view text, WordMatch match) const override {
    return run([&] { return catalog_->terms(text, match); });
  }
  std::vector<std::string> near_words(std::string_view word, Kind kind, std::size_t limit) const override {
    return run([&] { return catalog_->near_words(word, kind, limit); });
  }
  std::vector<std::string> near_creators(std::string_view name, Kind kind, std::size_t limit) const override {
    return run([&] { return catalog_->near_creators(name, kind, limit); });
  }
  std::vector<std::optional<FoundTrack>> look_up(std::span<const std::string> ids) const override {
    return run([&] { return catalog_->look_up(ids); });
  }
  std::vector<LicenseReceipt> receipts(std::span<const std::uint32_t> positions, Hashing& hashing) const override {
    return run([&] { return catalog_->receipts(positions, hashing); });
  }
  std::vector<Namesakes> look_up_titles(std::span<const TitleQuery> titles) const override {
    return run([&] { return catalog_->look_up_titles(titles); });
  }
  std::vector<Namesakes> look_up_addresses(std::span<const AddressQuery> addresses) const override {
    return run([&] { return catalog_->look_up_addresses(addresses); });
  }
  std::vector<std::vector<FoundTrack>> look_up_fingerprints(
      std::span<const std::vector<std::uint32_t>> fingerprints) const override {
    return run([&] { return catalog_->look_up_fingerprints(fingerprints); });
  }
  std::vector<std::vector<HeardTrack>> look_up_mixes(
      std::span<const std::vector<std::uint32_t>> pieces) const override {
    return run([&] { return catalog_->look_up_mixes(pieces); });
  }
  std::vector<std::string> known_versions() const override {
    return run([&] { return catalog_->known_versions(); });
  }
  std::optional<ChangesPage> changes(std::string_view since, std::uint32_t limit, std::uint32_t offset) const override {
    return run([&] { return catalog_->changes(since, limit, offset); });
  }
  std::vector<std::string> taken_down_since() const override {
    return run([&] { return catalog_->taken_down_since(); });
  }
  std::vector<std::vector<FoundTrack>> look_up_files(std::span<const Sha256> hashes) const override {
    return run([&] { return catalog_->look_up_files(hashes); });
  }
  std::vector<Completion> complete(std::string_view typed, Kind kind, std::size_t limit) const override {
    return run([&] { return catalog_->complete(typed, kind, limit); });
  }
  std::vector<std::string> words(std::string_view text) const override {
    return run([&] { return catalog_->words(text); });
  }
  std::optional<std::uint32_t> find(std::string_view id) const override {
    return run([&] { return catalog_->find(id); });
  }
  Page similar(std::uint32_t position, const Filters& filters, std::uint32_t limit,
               std::uint32_t offset) const override {
    return run([&] { return catalog_->similar(position, filters, limit, offset); });
  }
  Page merge_similar(const MergeQuery& query) const override {
    return run([&] { return catalog_->merge_similar(query); });
  }
  std::vector<RenderedTrack> render(std::span<const std::uint32_t> positions) const override {
    return run([&] { return catalog_->render(positions); });
  }
  const CatalogValues& values() const override { return catalog_->values(); }
  const MediaOrigins& media_origins() const override { return catalog_->media_origins(); }
  std::vector<CreatorCount> creators(std::string_view contains, std::size_t limit) const override {
    return run([&] { return catalog_->creators(contains, limit); });
  }
  bool is_taken_down(std::uint32_t position) const override { return catalog_->is_taken_down(position); }

 private:
  template <class Call>
  std::invoke_result_t<const Call&> run(const Call& call) const {
    return replayed(*state_, state_->wait, call);
  }

  std::shared_ptr<EarlyState> state_;
  std::shared_ptr<const Catalog> catalog_;
};

}  // namespace

Result<std::shared_ptr<const Catalog>> open_early(const std::shared_ptr<const EarlySnapshot>& snapshot,
                                                  const Catalog::Options& options, const BlockWait& wait_to_open,
                                                  BlockWait wait) {
  const auto state = std::make_shared<EarlyState>();
  state->snapshot = snapshot;
  state->wait = std::move(wait);
  auto opened = replayed(*state, wait_to_open, [&] { return Catalog::open(snapshot, options); });
  if (!opened) return opened.error();
  std::shared_ptr<const Catalog> early = std::make_shared<const EarlyCatalog>(state, *std::move(opened));
  return early;
}

}  // namespace tonearm::native
