#include "state/collections/collection_tracks.h"

#include <cstdint>

#include "state/columns.h"

namespace tonearm::state {
namespace {

constexpr std::int64_t kRowsPerStep = 100;

/// Deletes the texts from number `first` on.
void delete_from(sql::Transaction& transaction, const std::string& account, const std::string& collection_id,
                 std::int64_t first) {
  transaction.execute("DELETE FROM collection_tracks WHERE account = ?1 AND collection_id = ?2 AND part >= ?3",
                      {account, collection_id, first});
}

}  // namespace

std::vector<std::string> read_tracks(sql::Transaction& transaction, const std::string& account,
                                     const std::string& collection_id, const std::string& catalog_version) {
  const sql::Rows rows = transaction.execute(
      "SELECT tracks FROM collection_tracks WHERE account = ?1 AND collection_id = ?2 AND catalog_version = ?3"
      " ORDER BY part",
      {account, collection_id, catalog_version});
  std::vector<std::string> texts;
  texts.reserve(rows.size());
  for (const sql::Row& row : rows) texts.push_back(text_at(row, 0));
  return texts;
}

void save_tracks(sql::Transaction& transaction, const std::string& account, const std::string& collection_id,
                 const std::string& catalog_version, const std::vector<std::string>& texts) {
  std::int64_t part = 0;
  for (const std::string& text : texts) {
    // RECORD-6: some rows of a deleted account may not have been removed yet.
    transaction.execute(
        "INSERT INTO collection_tracks (account, collection_id, part, catalog_version, tracks)"
        " SELECT c.account, c.collection_id, ?3, ?4, ?5 FROM accounts a JOIN collections c ON c.account = a.account"
        " WHERE a.account = ?1 AND c.collection_id = ?2"
        " ON CONFLICT (account, collection_id, part) DO UPDATE SET catalog_version = excluded.catalog_version,"
        " tracks = excluded.tracks",
        {account, collection_id, part++, catalog_version, text});
  }
  delete_from(transaction, account, collection_id, part);
}

void delete_tracks(sql::Transaction& transaction, const std::string& account, const std::string& collection_id) {
  delete_from(transaction, account, collection_id, 0);
}

bool delete_some_tracks(sql::Transaction& transaction) {
  return !transaction
              .execute(
                  "DELETE FROM collection_tracks WHERE (account, collection_id, part) IN"
                  " (SELECT account, collection_id, part FROM collection_tracks"
                  " ORDER BY account, collection_id, part LIMIT ?1) RETURNING part",
                  {kRowsPerStep})
              .empty();
}

}  // namespace tonearm::state
