#pragma once
// The directory's outbox: tables of the accounts and keys that changed since their shards last acknowledged a change.
// Directory (tonearm/shard_service.h) reads them. Functions throw sql::Failure.

#include <cstdint>
#include <string>

#include "tonearm/sql.h"

namespace tonearm::shards {

/// Records a change in the transaction that makes it, so that none is lost; a deletion is recorded before it is made.
/// Does nothing if the account has no shard yet (Directory::has_shard). `key_id`: the changed key, or empty. `epoch`:
/// see ShardService::make.
void record_change(sql::Transaction& transaction, const std::string& account, const std::string& key_id,
                   std::int64_t epoch);

}  // namespace tonearm::shards
