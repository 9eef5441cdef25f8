#pragma once
// The directory's outbox, tables beside its accounts: which of them changed since their shards last acknowledged a
// change, and which of their keys. Directory (tonearm/shard_service.h) reads it. Functions throw sql::Failure.

#include <cstdint>
#include <string>

#include "tonearm/sql.h"

namespace tonearm::shards {

/// In the transaction that changes or removes the account, so that no change is forgotten. `key_id`: the key that
/// changed, or none. `epoch`: as of ShardService::make.
void note_change(sql::Transaction& transaction, const std::string& account, const std::string& key_id,
                 std::int64_t epoch);

}  // namespace tonearm::shards
