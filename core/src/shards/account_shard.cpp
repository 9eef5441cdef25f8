#include <stdexcept>
#include <vector>

#include "shards/account_replica.h"
#include "shards/call_report.h"
#include "state/call_log.h"
#include "tonearm/shard_service.h"

namespace tonearm {

std::size_t AccountShard::write_records(std::string_view records) {
  const auto calls = shards::read_report(records);
  if (!calls) throw std::invalid_argument("these are no call records");
  std::vector<state::NumberedCall> numbered;
  numbered.reserve(calls->size());
  for (const state::CallRecord& call : *calls) numbered.push_back({call.number, call});
  std::size_t written = 0;
  store_.transact([&](sql::Transaction& transaction) {
    // Records of calls that other processes answered come when they come.
    written = state::write_calls(transaction, numbered, state::Numbers::in_any_order);
  });
  return written;
}

ReplicaOutcome AccountShard::apply_replica(std::string_view replica) { return shards::apply_replica(store_, replica); }

void AccountShard::keep_tombstone(std::string_view removal) {
  if (!shards::keep_tombstone(store_, removal)) throw std::invalid_argument("this is no removal of an account");
}

std::string AccountShard::outdated_account() { return shards::outdated_account(store_, epoch_); }

}  // namespace tonearm
