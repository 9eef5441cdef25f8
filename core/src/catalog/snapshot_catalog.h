#pragma once
// The catalog over an opened snapshot. Everything that it holds is constant once it is open; a call borrows a
// workplace and keeps its scratch there.

#include "catalog/kernels.h"
#include "catalog/layout.h"
#include "catalog/match.h"
#include "catalog/phrases.h"
#include "catalog/query_words.h"
#include "catalog/track_store.h"
#include "catalog/workplace.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

class SnapshotCatalog final : public Catalog {
 public:
  /// Throws sql::Failure, also for an evaluation snapshot that is not allowed (C10.2). `kernels`: one of those that
  /// this processor can run.
  SnapshotCatalog(const std::shared_ptr<const SnapshotFile>& file, const Options& options, const Kernels& kernels);

  Result<void> check_blocks(Hashing& hashing) const override;
  bool is_in_memory() const override { return file_->blocks() == nullptr; }
  const std::string& version() const override { return version_; }
  std::uint32_t track_count() const override { return layout_.size; }
  Page search(const SearchQuery& query) const override;
  std::uint64_t count(const SearchQuery& query) const override;
  bool has_words(std::string_view text) const override;
  std::vector<QueryWord> words(std::string_view text) const override;
  std::vector<std::optional<FoundTrack>> look_up(std::span<const std::string> ids) const override {
    return tracks_.look_up(ids);
  }
  std::optional<std::uint32_t> find(std::string_view id) const override { return tracks_.find(id); }
  bool is_taken_down(std::uint32_t position) const override { return position >= layout_.speech_end; }
  Page similar(std::uint32_t position, const Filters& filters, std::uint32_t limit,
               std::uint32_t offset) const override;
  Page merge_similar(const MergeQuery& query) const override;
  std::vector<RenderedTrack> render(std::span<const std::uint32_t> positions) const override;
  const CatalogValues& values() const override { return values_; }
  std::vector<CreatorCount> creators(std::string_view contains, std::size_t limit) const override;

 private:
  /// What the tables of the database say.
  struct Tables {
    Manifest manifest;
    CatalogValues values;
    Synonyms synonyms;
  };
  SnapshotCatalog(std::shared_ptr<const SnapshotFile> file, const Kernels& kernels, Tables tables);
  static Tables read_tables(const SnapshotFile& file, const Options& options);
  /// What a query's words and filters keep; no words filter nothing.
  Matches match(const SearchQuery& query, std::span<const Word> words, Scores scores, Workplace& workplace) const;

  /// Where in a stored order all matches of the query stand.
  Between places_of(const SearchQuery& query, Sort sort) const;

  std::shared_ptr<const SnapshotFile> file_;
  const Kernels& kernels_;
  std::unique_ptr<WorkplacePool> workplaces_;
  Sections sections_;
  Layout layout_;
  Columns columns_;
  TermIndex index_;
  PhraseIndex phrases_;
  TempoOrder tempos_;
  TrackStore tracks_;
  CatalogValues values_;
  Synonyms synonyms_;
  std::string version_;
};

}  // namespace tonearm::catalog
