#include "outcomes.h"

#include <exception>
#include <utility>

#include "imports.h"

namespace tonearm::wasm {
namespace {

Response refusal_response(Refusal refusal, std::uint32_t wait_s) {
  if (refusal == Refusal::unavailable) {
    return error_response({ErrorCode::unavailable, "The service cannot answer now; retry later."});
  }
  if (refusal == Refusal::internal_error) return error_response(kInternalError);
  if (refusal == Refusal::broken_body) return error_response({ErrorCode::invalid_request, "The body broke off."});
  if (refusal == Refusal::full) {
    return error_response(
        {ErrorCode::unavailable, "The storage of this account is full; delete collections, or retry later."});
  }
  if (refusal == Refusal::late_body) {
    Response response = error_response({ErrorCode::invalid_request, "The body of the request took too long."});
    response.status = 408;
    return response;
  }
  // CHECK-3: the status stays 401, so that the response does not reveal whether a key is valid.
  Response response = error_response({ErrorCode::invalid_api_key, "Too many invalid API keys came from this address."});
  response.headers.push_back({"Retry-After", std::to_string(wait_s)});
  return response;
}

NextStep next_step(MessageNeeds needs) {
  if (needs == MessageNeeds::catalog) return NextStep::here;
  return needs == MessageNeeds::write ? NextStep::in_shard_writes : NextStep::in_shard;
}

}  // namespace

void log(std::string_view line) { host_log(line.data(), line.size()); }

Outcome done(std::string body) { return {{200, {}, std::move(body)}, {}, {}, {}}; }
Outcome replay() { return {{static_cast<int>(NextStep::replay), {}, {}}, {}, {}, {}}; }
Outcome refused(const Error& error) { return {error_response(error), {}, {}, {}}; }
Outcome refused(Refusal refusal, std::uint32_t wait_s) { return {refusal_response(refusal, wait_s), {}, {}, {}}; }

Outcome routed(std::variant<Response, CallRoute> route) {
  if (auto* refusal = std::get_if<Response>(&route)) return {std::move(*refusal), {}, {}, {}};
  auto& [account, in_shard] = std::get<CallRoute>(route);
  return {{static_cast<int>(in_shard ? NextStep::in_shard : NextStep::here), {}, {}}, std::move(account), {}, {}};
}

Outcome admit(ShardCalls& calls, const RequestMessage& message) {
  auto admitted = calls.admit(message.request.head);
  if (auto* refusal = std::get_if<Response>(&admitted)) return {std::move(*refusal), {}, {}, calls.take_records()};
  return {{static_cast<int>(NextStep::here), {}, {}}, {}, encode_admitted(std::get<Admitted>(admitted)), {}};
}

Outcome admit_message(ShardCalls& calls, const RequestMessage& message) {
  auto admitted = calls.admit_message(message.admitted, message.request);
  if (auto* refusal = std::get_if<Response>(&admitted)) return {std::move(*refusal), {}, {}, calls.take_records()};
  const auto& [ticket, needs] = std::get<AdmittedMessage>(admitted);
  return {{static_cast<int>(next_step(needs)), {}, {}}, {}, encode_admitted(ticket), {}};
}

Outcome answer(ShardCalls& calls, const RequestMessage& message) {
  Response response;
  try {
    response = calls.answer(message.admitted, message.request);
  } catch (const std::exception& failure) {
    log(failure.what());
    calls.take_records();  // of what was not answered
    response = calls.refuse(message.admitted, message.request.head, error_response(kInternalError));
  }
  return {std::move(response), {}, {}, calls.take_records()};
}

Outcome refuse(ShardCalls& calls, const RequestMessage& message, Refusal refusal) {
  auto response = calls.refuse(message.admitted, message.request.head, refusal_response(refusal, 0));
  return {std::move(response), {}, {}, calls.take_records()};
}

Outcome handle_admin(ShardCalls& calls, const RequestMessage& message) {
  Response response = calls.handle_admin(message.request);
  return {std::move(response), calls.take_changed_account(), {}, {}};
}

Outcome changed(const std::optional<AccountChange>& change) {
  if (!change) return done();
  return {{200, {}, change->replica}, change->account, encode_change(*change), {}};
}

Outcome replicated(ReplicaOutcome outcome) {
  if (outcome == ReplicaOutcome::malformed) {
    return refused({ErrorCode::internal_error, "not an account replica, or one with a different layout"});
  }
  return done(std::to_string(static_cast<int>(outcome)));
}

}  // namespace tonearm::wasm
