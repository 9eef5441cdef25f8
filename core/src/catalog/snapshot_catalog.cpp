#include "catalog/snapshot_catalog.h"

#include "catalog/index/listing.h"
#include "catalog/lookup/near_spellings.h"
#include "catalog/lookup/receipts.h"
#include "catalog/lookup/similar.h"
#include "catalog/storage/content_hash.h"
#include "catalog/storage/phrase_tables.h"

namespace tonearm::catalog {
namespace {

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

SnapshotCatalog::SnapshotCatalog(const std::shared_ptr<const SqliteSnapshot>& snapshot, const Options& options,
                                 const Kernels& kernels)
    : SnapshotCatalog(snapshot, kernels, read_tables(*snapshot, options)) {}

SnapshotCatalog::SnapshotCatalog(std::shared_ptr<const SqliteSnapshot> snapshot, const Kernels& kernels, Tables tables)
    : snapshot_(std::move(snapshot)),
      contexts_(std::make_unique<SearchContextPool>(*snapshot_)),
      sections_(open_sections(snapshot_->file())),
      index_(sections_, read_layout(tables.manifest)),
      fetcher_(snapshot_->file(), index_),
      lookup_(index_, fetcher_),
      names_(index_, fetcher_, lookup_),
      sounds_(index_, fetcher_, lookup_),
      values_(std::move(tables.values)),
      synonyms_(std::move(tables.synonyms)),
      search_(index_, fetcher_, synonyms_, kernels),
      facet_counter_({index_, fetcher_, kernels, search_, values_}),
      completer_(index_, fetcher_, search_),
      version_(version_of(sections_.content_hash())),
      signature_(signature_claim(snapshot_->file())) {}

Result<void> SnapshotCatalog::check_blocks(Hashing& hashing, const Interrupted& interrupted) const {
  try {
    const sql::SqliteHandle database = connect_untrusted(*snapshot_, interrupted);
    const Sha256 tables = hash_tables(database.get(), hashing);
    if (sections_.check_blocks(hashing, tables, interrupted) != sections_.content_hash()) {
      throw_damaged("its content differs from its content hash");
    }
    if (index_.licenses.root(hashing) != sections_.license_root()) {
      throw_damaged("its license records differ from their root");
    }
    return {};
  } catch (const Failure& failure) {
    return Error{ErrorCode::unavailable, failure.what()};
  }
}

std::vector<std::string> SnapshotCatalog::near_words(std::string_view word, Kind kind, std::size_t limit) const {
  const std::vector<Token> tokens = contexts_->borrow()->tokenizer.tokens(word);
  if (tokens.size() != 1) return {};
  return catalog::near_words(tokens.front().folded, {kind, limit}, index_, fetcher_);
}

std::vector<std::string> SnapshotCatalog::near_creators(std::string_view name, Kind kind, std::size_t limit) const {
  return catalog::near_creators(name, {kind, limit}, index_, fetcher_);
}

std::vector<std::string> SnapshotCatalog::words(std::string_view text) const {
  std::vector<std::string> words;
  for (Token& token : contexts_->borrow()->tokenizer.tokens(text)) words.push_back(std::move(token.folded));
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
  for (const StoredTrack& track : lookup_.at(positions)) tracks.push_back(track.rendered);
  return tracks;
}

std::vector<LicenseReceipt> SnapshotCatalog::receipts(std::span<const std::uint32_t> positions,
                                                      Hashing& hashing) const {
  return make_receipts(positions, {index_, fetcher_, *signature_, sections_.license_root()}, hashing);
}

std::vector<CreatorCount> SnapshotCatalog::creators(std::string_view contains, std::size_t limit) const {
  return read_creators(sections_[SectionId::creators], contains, limit);
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
    return Error{ErrorCode::unavailable, failure.what()};
  }
}

}  // namespace tonearm
