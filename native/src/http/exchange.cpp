#include "http/exchange.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "http/content_coding.h"
#include "http/response_head.h"
#include "http/trace_context.h"
#include "system/work_deadline.h"

namespace tonearm::native {
namespace {

using Steady = std::chrono::steady_clock;

}  // namespace

Exchange::Exchange(SessionContext& context, RequestHead head, const Traits& traits)
    : context_(context), request_{std::move(head), {}}, traits_(traits) {
  ++context_.metrics.in_flight;
  auto& headers = request_.head.headers;
  request_id_ = context_.request_ids.id_for(headers);
  std::copy_if(headers.begin(), headers.end(), std::back_inserter(negotiation_), [](const Header& header) {
    return is_named(header, "Accept-Encoding") || is_named(header, "If-None-Match");
  });
  restore_entity_tags(headers);
}

void Exchange::admit() {
  const auto& limits = context_.limits;
  // Includes the time in the queue.
  const WorkDeadline deadline(began_ + (traits_.is_health_check ? limits.health_time : limits.call_time));
  guarded([this] {
    outcome_ = context_.handler.admit(request_.head);
    if (std::holds_alternative<Response>(outcome_)) return finish_early();
    worked_ = Steady::now() - began_;
    if (traits_.has_body) return;
    outcome_ = context_.handler.answer(std::get<Admitted>(outcome_), request_);
    finish();
  });
}

InlineResult Exchange::try_admit() {
  auto result = InlineResult::answered;
  guarded([this, &result] {
    auto outcome = context_.handler.try_admit(request_.head);
    if (!outcome) return void(result = InlineResult::needs_pool);
    outcome_ = std::move(*outcome);
    if (const auto* admitted = std::get_if<Admitted>(&outcome_)) {
      outcome_ = context_.handler.answer(*admitted, request_);
    }
    if (context_.compression == Compression::allowed && will_compress(negotiation_, response())) {
      return void(result = InlineResult::needs_encoding);
    }
    finish();
  });
  return is_answered() ? InlineResult::answered : result;
}

void Exchange::encode() {
  guarded([this] { finish(); });
}

void Exchange::answer(std::string body) {
  // Receiving the body does not count.
  const WorkDeadline deadline(Steady::now() + context_.limits.call_time - worked_);
  guarded([&] {
    const bool ignores_body = context_.handler.ignores_body(request_.head);
    // The core answers 413 in its order of checks (CHECK-8).
    if (body.size() > kBodyBytesMax) traits_.keep_alive = false;
    if (!ignores_body) request_.body = std::move(body);
    outcome_ = context_.handler.answer(std::get<Admitted>(outcome_), request_);
    finish();
  });
}

void Exchange::answer_early(Response response) {
  outcome_ = std::move(response);
  finish_early();
}

void Exchange::abandon(int status, std::string_view message) {
  traits_.keep_alive = false;
  outcome_ = refuse_call(status, message);
  finish();
}

Response Exchange::refuse_call(int status, std::string_view message) {
  const auto* admitted = std::get_if<Admitted>(&outcome_);
  if (admitted == nullptr) return refusal(status, message);
  return context_.handler.refuse(*admitted, request_.head, refusal(status, message));
}

/// Turns an exception of the core into a 500 and a log line. No exception passes this function.
template <class Work>
void Exchange::guarded(const Work& work) {
  try {
    work();
  } catch (const std::exception& failure) {
    const std::array<LogField, 2> fields{
        {{"request", request_id_}, {"traceparent", traceparent(request_.head.headers)}}};
    context_.log.request_error(std::string("request failed: ") + failure.what(), fields);
    outcome_ = refuse_call(500, "The server met a fault; retry later.");
    traits_.keep_alive = traits_.keep_alive && !traits_.has_body;
    negotiation_.clear();
    finish();
  }
}

/// Finishes a response that is sent before the request's body is read.
void Exchange::finish_early() {
  traits_.keep_alive = traits_.keep_alive && (!traits_.has_body || traits_.may_drain);
  finish();
}

void Exchange::finish() {
  auto& response = std::get<Response>(outcome_);
  context_.handler.complete(request_.head, response);
  if (context_.compression == Compression::allowed) encode_response(negotiation_, response);
  traits_.keep_alive = traits_.keep_alive && !context_.stopping;
  head_ = render_head(response, {request_id_, context_.clock.now_ms(), traits_.minor_version, traits_.keep_alive});
  if (request_.head.method == "HEAD" || response.status == 204 || response.status == 304) {
    response.body.clear();
    response.shared_body = nullptr;
    response.source = nullptr;
  }
}

void Exchange::count() {
  const auto took = std::chrono::steady_clock::now() - began_;
  context_.metrics.count_request(request_.head.target, response().status, took);
}

}  // namespace tonearm::native
