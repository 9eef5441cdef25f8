#pragma once
// What the module says at the end of each kind of call. For one thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "message.h"
#include "tonearm/result.h"
#include "tonearm/shard_service.h"

namespace tonearm::wasm {

inline const Error kInternalError{ErrorCode::internal_error, "A fault of the server; retry later."};
inline const Error kBadMessage{ErrorCode::internal_error, "The message breaks the layout."};

inline const Error kStartedBefore{ErrorCode::internal_error, "The instance was started before."};

/// What a host refuses by itself; numbered as the worker names it.
enum class Refusal : std::uint32_t {
  internal_error,
  unavailable,
  broken_body,
  failed_keys,
  late_body,
  full,
};

/// A line for the operator.
void log(std::string_view line);

Outcome done(std::string body = {});
/// Blocks are missing: the worker fetches them, and replays the call.
Outcome replay();
Outcome refused(const Error& error);
/// `wait_s`: for how many seconds more.
Outcome refused(Refusal refusal, std::uint32_t wait_s);

Outcome routed(std::variant<Response, CallRoute> route);
Outcome admit(ShardCalls& calls, const RequestMessage& message);
Outcome answer(ShardCalls& calls, const RequestMessage& message);
/// For a call that was admitted and cannot go on.
Outcome refuse(ShardCalls& calls, const RequestMessage& message, Refusal refusal);
/// With the account that it changed, if any.
Outcome handle_admin(ShardCalls& calls, const RequestMessage& message);
/// A change of the directory's outbox, or none.
Outcome changed(const std::optional<AccountChange>& change);
/// The body says which: its number in the order of ReplicaOutcome.
Outcome replicated(ReplicaOutcome outcome);

}  // namespace tonearm::wasm
