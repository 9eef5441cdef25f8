#include "calls.h"

#include <exception>
#include <utility>

#include "imports.h"

namespace tonearm::wasm {
namespace {

Response refusal_response(Refusal refusal, std::uint32_t wait_s) {
  if (refusal == Refusal::unavailable) {
    return error_response({ErrorCode::unavailable, "The service cannot answer now; retry later."});
  }
  if (refusal == Refusal::fault) return error_response(kFault);
  if (refusal == Refusal::broken_body) return error_response({ErrorCode::invalid_request, "The body broke off."});
  // C1.3: it stays 401, so that nobody learns from it whether a key is right.
  Response response = error_response({ErrorCode::invalid_api_key, "Too many invalid API keys came from this address."});
  response.headers.push_back({"Retry-After", std::to_string(wait_s)});
  return response;
}

}  // namespace

void log(std::string_view line) { host_log(line.data(), line.size()); }

Outcome done(std::string body) { return {{200, {}, std::move(body)}, {}, {}, {}}; }
Outcome again() { return {{static_cast<int>(GoOn::again), {}, {}}, {}, {}, {}}; }
Outcome refused(const Error& error) { return {error_response(error), {}, {}, {}}; }
Outcome refused(Refusal refusal, std::uint32_t wait_s) { return {refusal_response(refusal, wait_s), {}, {}, {}}; }

Outcome located(std::variant<Response, CallPlace> place) {
  if (auto* refusal = std::get_if<Response>(&place)) return {std::move(*refusal), {}, {}, {}};
  auto& [account, at_home] = std::get<CallPlace>(place);
  return {{static_cast<int>(at_home ? GoOn::at_home : GoOn::here), {}, {}}, std::move(account), {}, {}};
}

Outcome admit(HomeService& service, const Asked& asked) {
  auto admitted = service.admit(asked.request.head);
  if (auto* refusal = std::get_if<Response>(&admitted)) return {std::move(*refusal), {}, {}, service.take_records()};
  return {{static_cast<int>(GoOn::here), {}, {}}, {}, encode_admitted(std::get<Admitted>(admitted)), {}};
}

Outcome answer(HomeService& service, const Asked& asked) {
  Response response;
  try {
    response = service.answer(asked.admitted, asked.request);
  } catch (const std::exception& fault) {
    log(fault.what());
    response = service.refuse(asked.admitted, asked.request.head, error_response(kFault));
  }
  return {std::move(response), {}, {}, service.take_records()};
}

Outcome refuse(HomeService& service, const Asked& asked, Refusal refusal) {
  auto response = service.refuse(asked.admitted, asked.request.head, refusal_response(refusal, 0));
  return {std::move(response), {}, {}, service.take_records()};
}

Outcome next_change(HomeService& service, std::string_view after) {
  auto change = service.next_change(std::string(after));
  if (!change) return done();
  return {{200, {}, std::move(change->copy)}, change->account, encode_change(*change), {}};
}

}  // namespace tonearm::wasm
