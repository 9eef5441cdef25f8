#pragma once
// The catalog over an opened snapshot. Everything that it holds is constant once it is open; a call borrows a
// connection and keeps its scratch to itself.

#include "catalog/connection.h"
#include "catalog/layout.h"
#include "catalog/match.h"
#include "catalog/query_words.h"
#include "tonearm/catalog.h"

namespace tonearm::catalog {

class SnapshotCatalog final : public Catalog {
 public:
  /// Throws sql::Failure, also for an evaluation snapshot that is not allowed (C10.2).
  SnapshotCatalog(const ConnectSnapshot& connect, const Options& options);

  const std::string& version() const override { return version_; }
  std::uint32_t track_count() const override { return layout_.size; }
  Page search(const SearchQuery& query) const override;
  std::uint64_t count(const SearchQuery& query) const override;
  bool has_words(std::string_view text) const override;
  std::vector<QueryWord> words(std::string_view text) const override;
  std::optional<std::uint32_t> find(std::string_view id) const override;
  Page similar(std::uint32_t position, const Filters& filters, std::uint32_t limit,
               std::uint32_t offset) const override;
  std::vector<RenderedTrack> render(std::span<const std::uint32_t> positions) const override;
  const CatalogValues& values() const override { return values_; }
  std::vector<CreatorCount> creators(std::string_view contains, std::size_t limit) const override;

 private:
  struct Matches {
    bool has_words = false;
    DocSet set;
    std::vector<Hit> hits;  // where there are words: the members of `set`
    std::uint64_t total = 0;
  };

  void load(sqlite3* database, const Options& options);
  void load_synonyms(Connection& connection);
  Matches match(const SearchQuery& query, Connection& connection) const;
  RenderedTrack render_one(Connection& connection, std::uint32_t position) const;

  std::string version_;
  Layout layout_;
  Columns columns_;
  CatalogValues values_;
  Synonyms synonyms_;
  std::unique_ptr<ConnectionPool> pool_;
};

}  // namespace tonearm::catalog
