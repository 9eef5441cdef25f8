#include "state/collections/collection_tracks.h"

#include <cstdint>

#include "state/columns.h"

namespace tonearm::state {

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
  delete_tracks(transaction, account, collection_id);
  std::int64_t part = 0;
  for (const std::string& text : texts) {
    // RECORD-6: some rows of a deleted account may not have been removed yet.
    transaction.execute(
        "INSERT INTO collection_tracks (account, collection_id, part, catalog_version, tracks)"
        " SELECT c.account, c.collection_id, ?3, ?4, ?5 FROM accounts a JOIN collections c ON c.account = a.account"
        " WHERE a.account = ?1 AND c.collection_id = ?2",
        {account, collection_id, part++, catalog_version, text});
  }
}

void delete_tracks(sql::Transaction& transaction, const std::string& account, const std::string& collection_id) {
  transaction.execute("DELETE FROM collection_tracks WHERE account = ?1 AND collection_id = ?2",
                      {account, collection_id});
}

}  // namespace tonearm::state
