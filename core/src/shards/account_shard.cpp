#include <stdexcept>
#include <vector>

#include "shards/account_replica.h"
#include "shards/call_report.h"
#include "state/accounts/deferred_counts.h"
#include "state/call_partitions.h"
#include "state/calls/call_rows.h"
#include "tonearm/shard_service.h"

namespace tonearm {

std::size_t AccountShard::write_records(std::string_view records) {
  const auto calls = shards::read_reports(records);
  if (!calls) throw std::invalid_argument("malformed call records");
  std::vector<state::NumberedCall> numbered;
  numbered.reserve(calls->size());
  for (const state::CallRecord& call : *calls) numbered.push_back({call.number, call});
  // Other processes answer these calls, so their records may arrive in any order.
  std::size_t written = 0;
  state::transact_with_partitions(store_, [&](sql::Transaction& transaction) {
    written = unwritten_counts_ == nullptr ? state::write_calls(transaction, numbered, state::NumberOrder::any).count
                                           : state::write_calls_with_counts(transaction, numbered, *unwritten_counts_);
  });
  return written;
}

void AccountShard::write_counts() { state::store_deferred(store_, unwritten_counts_); }

ReplicaOutcome AccountShard::apply_replica(std::string_view replica) { return shards::apply_replica(store_, replica); }

void AccountShard::save_tombstone(std::string_view removal) {
  if (!shards::save_tombstone(store_, removal)) throw std::invalid_argument("malformed tombstone, or not a deletion");
}

std::string AccountShard::outdated_account() { return shards::outdated_account(store_, epoch_); }

}  // namespace tonearm
