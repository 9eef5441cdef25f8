#include "catalog/snapshot_catalog.h"

#include <algorithm>
#include <utility>

#include "catalog/index/hash.h"
#include "catalog/index/listing.h"
#include "catalog/index/media_origins.h"
#include "catalog/lookup/change_log.h"
#include "catalog/lookup/near_spellings.h"
#include "catalog/lookup/receipts.h"
#include "catalog/lookup/similar.h"
#include "catalog/storage/content_hash.h"
#include "catalog/storage/phrase_tables.h"

namespace tonearm::catalog {
namespace {

/// Catalogs with the same tracks taken down have the same revision on every host.
std::string revision_of(const std::string& version, const TakenDown& taken_down) {
  if (taken_down.empty()) return version;
  std::uint64_t hash = 0;
  for (const std::uint32_t position : taken_down.positions()) hash = mix64(hash ^ position);
  return version + '-' + std::to_string(hash);
}

/// The code says whether the snapshot itself is damaged (Catalog::open).
Error refusal_of(const Failure& failure) {
  const bool is_damage = dynamic_cast<const CatalogDamaged*>(&failure) != nullptr;
  return {is_damage ? ErrorCode::internal_error : ErrorCode::unavailable, failure.what()};
}

Synonyms read_synonyms(sqlite3* database, Tokenizer& tokenizer) {
  Synonyms synonyms;
  for (const auto& texts : read_synonym_sets(database)) synonyms.add_set(texts, tokenizer);
  return synonyms;
}

}  // namespace

SnapshotCatalog::Tables SnapshotCatalog::read_tables(const SqliteSnapshot& snapshot, const Options& options) {
  fetch_tables(snapshot.file());
  const sql::SqliteHandle database = connect_untrusted(snapshot, options.interrupted);
  Tables tables{read_manifest(database.get()), read_values(database.get()), {}};
  if (manifest_text(tables.manifest, "profile") == "evaluation" && !options.allow_evaluation) {
    throw Failure("the snapshot was built for evaluation: its licenses are not known");
  }
  Tokenizer tokenizer(database.get());
  tables.synonyms = read_synonyms(database.get(), tokenizer);
  return tables;
}

SnapshotCatalog::Opened::Opened(std::shared_ptr<const SqliteSnapshot> from, const Kernels& usable, Tables tables)
    : snapshot(std::move(from)),
      kernels(usable),
      contexts(std::make_unique<SearchContextPool>(*snapshot)),
      sections(open_sections(snapshot->file())),
      layout(read_layout(tables.manifest)),
      values(std::move(tables.values)),
      media_origins(read_media_origins(tables.manifest)),
      synonyms(std::move(tables.synonyms)),
      version(version_of(sections.content_hash())),
      signature(signature_claim(snapshot->file())) {}

SnapshotCatalog::SnapshotCatalog(const std::shared_ptr<const SqliteSnapshot>& snapshot, const Options& options,
                                 const Kernels& kernels)
    : SnapshotCatalog(std::make_shared<const Opened>(snapshot, kernels, read_tables(*snapshot, options)), TakenDown()) {
}

SnapshotCatalog::SnapshotCatalog(const SnapshotCatalog& other, TakenDown taken_down)
    : SnapshotCatalog(other.opened_, std::move(taken_down)) {}

SnapshotCatalog::SnapshotCatalog(std::shared_ptr<const Opened> opened, TakenDown taken_down)
    : opened_(std::move(opened)),
      index_(opened_->sections, opened_->layout, std::move(taken_down)),
      fetcher_(opened_->snapshot->file(), index_),
      lookup_(index_, fetcher_),
      names_(index_, fetcher_, lookup_),
      sounds_(index_, fetcher_, lookup_),
      mixes_(index_, fetcher_, lookup_),
      search_(index_, fetcher_, opened_->synonyms, opened_->kernels),
      facet_counter_({index_, fetcher_, opened_->kernels, search_, opened_->values}),
      completer_(index_, fetcher_, search_),
      revision_(revision_of(opened_->version, index_.taken_down)) {}

std::shared_ptr<const Catalog> SnapshotCatalog::without(std::span<const std::string> ids) const {
  std::vector<std::uint32_t> positions;
  for (const auto& found : lookup_.look_up(ids)) {
    if (found) positions.push_back(found->position);
  }
  return std::make_shared<const SnapshotCatalog>(*this, TakenDown(std::move(positions), index_.layout));
}

std::vector<std::optional<FoundTrack>> SnapshotCatalog::look_up(std::span<const std::string> ids) const {
  auto tracks = lookup_.look_up(ids);
  for (auto& found : tracks) {
    if (found && index_.taken_down.contains(found->position)) {
      found->track = muted_tracks_->of(found->position, found->track);
    }
  }
  return tracks;
}

Result<void> SnapshotCatalog::check_blocks(Hashing& hashing, const Interrupted& interrupted) const {
  try {
    const sql::SqliteHandle database = connect_untrusted(*opened_->snapshot, interrupted);
    const Sha256 tables = hash_tables(database.get(), hashing);
    if (opened_->sections.check_blocks(hashing, tables, interrupted) != opened_->sections.content_hash()) {
      throw_damaged("its content differs from its content hash");
    }
    if (index_.licenses.root(hashing) != opened_->sections.license_root()) {
      throw_damaged("its license records differ from their root");
    }
    return {};
  } catch (const Failure& failure) {
    return refusal_of(failure);
  }
}

std::vector<std::string> SnapshotCatalog::near_words(std::string_view word, Kind kind, std::size_t limit) const {
  const std::vector<Token> tokens = context()->tokenizer.tokens(word);
  if (tokens.size() != 1) return {};
  return catalog::near_words(tokens.front().folded, {kind, limit}, index_, fetcher_);
}

std::vector<std::string> SnapshotCatalog::near_creators(std::string_view name, Kind kind, std::size_t limit) const {
  return catalog::near_creators(name, {kind, limit}, index_, fetcher_);
}

std::vector<std::string> SnapshotCatalog::known_versions() const {
  std::vector<std::string> names;
  for (ChangeLog::Version& version : ChangeLog(opened_->sections[SectionId::changes]).versions().all)
    names.push_back(std::move(version.name));
  return names;
}

std::vector<std::string> SnapshotCatalog::taken_down_since() const {
  std::vector<std::string> ids;
  for (const StoredTrack& track : lookup_.at(index_.taken_down.positions())) ids.emplace_back(id_of(track.rendered));
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::vector<std::string> SnapshotCatalog::words(std::string_view text) const {
  std::vector<std::string> words;
  for (Token& token : context()->tokenizer.tokens(text)) words.push_back(std::move(token.folded));
  return words;
}

Page SnapshotCatalog::similar(std::uint32_t position, const Filters& filters, std::uint32_t limit,
                              std::uint32_t offset) const {
  return page_of_neighbors(position, filters, {offset, limit}, index_, fetcher_);
}

Page SnapshotCatalog::merge_similar(const MergeQuery& query) const { return page_of_merged(query, index_, fetcher_); }

std::vector<RenderedTrack> SnapshotCatalog::render(std::span<const std::uint32_t> positions) const {
  std::vector<RenderedTrack> tracks;
  tracks.reserve(positions.size());
  for (const StoredTrack& track : lookup_.at(positions)) {
    const std::uint32_t position = positions[tracks.size()];
    const bool is_muted = index_.taken_down.contains(position);
    tracks.push_back(is_muted ? muted_tracks_->of(position, track.rendered) : track.rendered);
  }
  return tracks;
}

std::vector<LicenseReceipt> SnapshotCatalog::receipts(std::span<const std::uint32_t> positions,
                                                      Hashing& hashing) const {
  return make_receipts(positions, {index_, fetcher_, *opened_->signature, opened_->sections.license_root()}, hashing);
}

std::vector<CreatorCount> SnapshotCatalog::creators(std::string_view contains, std::size_t limit) const {
  return read_creators(opened_->sections[SectionId::creators], contains, limit);
}

}  // namespace tonearm::catalog

namespace tonearm {

Result<std::shared_ptr<const Catalog>> Catalog::open(const std::shared_ptr<const SqliteSnapshot>& snapshot,
                                                     const Options& options) {
  try {
    std::shared_ptr<const Catalog> opened =
        std::make_shared<const catalog::SnapshotCatalog>(snapshot, options, *catalog::usable_kernels().back());
    return opened;
  } catch (const Failure& failure) {
    return catalog::refusal_of(failure);
  }
}

}  // namespace tonearm
