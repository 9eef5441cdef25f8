#pragma once
// The tracks of collections as a version of the catalog has them, stored for hosts that read the catalog from remote
// storage (HOST-63). The texts are the caller's. Each function runs in the caller's transaction and throws
// sql::Failure.

#include <string>
#include <vector>

#include "tonearm/sql.h"

namespace tonearm::state {

/// Returns the texts that were stored for the collection with that version; none if it has others or none.
std::vector<std::string> read_tracks(sql::Transaction& transaction, const std::string& account,
                                     const std::string& collection_id, const std::string& catalog_version);
/// Replaces the collection's texts, each of which is a row. Does nothing if the collection was deleted.
void save_tracks(sql::Transaction& transaction, const std::string& account, const std::string& collection_id,
                 const std::string& catalog_version, const std::vector<std::string>& texts);
void delete_tracks(sql::Transaction& transaction, const std::string& account, const std::string& collection_id);
/// Deletes the texts of some collections of any account, to free space (HOST-14). Returns whether there were some.
bool delete_some_tracks(sql::Transaction& transaction);

}  // namespace tonearm::state
