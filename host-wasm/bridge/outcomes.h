#pragma once
// Builds the outcome of each kind of call. Single-threaded.

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
inline const Error kBadMessage{ErrorCode::internal_error, "The message violates the layout."};

inline const Error kAlreadyStarted{ErrorCode::internal_error, "The instance has already been started."};

/// Reasons for which the host itself refuses a call, numbered as in the worker.
enum class Refusal : std::uint32_t {
  internal_error,
  unavailable,
  broken_body,
  failed_keys,
  late_body,
  full,
};

/// Writes a line to the operator's log.
void log(std::string_view line);

Outcome done(std::string body = {});
/// Blocks are missing: the worker must fetch them and replay the call.
Outcome replay();
Outcome refused(const Error& error);
/// `wait_s` is the value of Retry-After.
Outcome refused(Refusal refusal, std::uint32_t wait_s);

Outcome routed(std::variant<Response, CallRoute> route);
Outcome admit(ShardCalls& calls, const RequestMessage& message);
/// Includes the admission ticket of the message, or is the response that refuses it.
Outcome admit_message(ShardCalls& calls, const RequestMessage& message);
Outcome answer(ShardCalls& calls, const RequestMessage& message);
/// Ends an admitted call that cannot continue.
Outcome refuse(ShardCalls& calls, const RequestMessage& message, Refusal refusal);
/// Includes the account that the request changed, if any.
Outcome handle_admin(ShardCalls& calls, const RequestMessage& message);
/// Returns a change of the directory's outbox, or an empty outcome.
Outcome changed(const std::optional<AccountChange>& change);
/// The body is the number of the outcome in ReplicaOutcome.
Outcome replicated(ReplicaOutcome outcome);

}  // namespace tonearm::wasm
