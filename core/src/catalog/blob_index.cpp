#include "catalog/blob_index.h"

#include "catalog/facets.h"

namespace tonearm::catalog {

BlobIndex::BlobIndex(sqlite3* database, std::uint32_t size)
    : count_(database, "SELECT count FROM terms WHERE key = ?1"),
      select_(database, "SELECT count, data FROM terms LEFT JOIN postings USING (place) WHERE key = ?1"),
      size_(size) {}

std::uint32_t BlobIndex::tracks_with(std::string_view word) {
  const std::string key = word_key(word);
  const Use use(count_);
  count_.bind_blob(1, key);
  if (!count_.step()) return 0;
  const std::int64_t count = count_.integer(0);
  if (count <= 0 || count > size_) damaged("a posting counts more tracks than there are");
  return static_cast<std::uint32_t>(count);
}

WordPostings BlobIndex::word(std::string_view word) {
  const std::string key = word_key(word);
  const Use use(select_);
  select_.bind_blob(1, key);
  if (!select_.step()) return {};
  return decode_word(select_.blob(1), select_.integer(0), size_);
}

void BlobIndex::add_facet(std::string_view facet, std::string_view value, DocSet& set) {
  const std::string key = facet_key(facet, value);
  const Use use(select_);
  select_.bind_blob(1, key);
  if (select_.step()) decode_facet(select_.blob(1), select_.integer(0), set);
}

}  // namespace tonearm::catalog
