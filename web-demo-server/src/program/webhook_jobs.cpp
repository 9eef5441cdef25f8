#include "program/webhook_jobs.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <utility>

#include "messages/webhook_message.h"
#include "routes/webhook_routes.h"

namespace tonearm::web {
namespace {

constexpr std::int64_t kLeaseMs = 120'000;  // longer than an exchange may take
constexpr std::size_t kSendingMax = 100;    // at once
constexpr std::int64_t kRoundMs = 1'000;
constexpr std::int64_t kResponseWaitMs = 100;
constexpr std::int64_t kMsOfSecond = 1'000;

public_web::WebRequest request_of(const WebhookDelivery& delivery, std::size_t ticket, std::int64_t now_s,
                                  Hashing& hashing) {
  const WebhookMessage message{delivery.id, now_s, delivery.body};
  return {.ticket = ticket,
          .url = delivery.address,
          .kind = public_web::WebRequest::Kind::post,
          .fields = {"Content-Type: application/json", "Expect:", "webhook-id: " + delivery.id,
                     "webhook-timestamp: " + std::to_string(now_s),
                     "webhook-signature: " + webhook_signature(delivery.secret, message, hashing)},
          .body = delivery.body};
}

/// A random tenth more, so that receivers that were away do not get everything at once.
std::int64_t with_jitter(std::int64_t wait_ms, Random& random) {
  std::array<std::uint8_t, 1> byte{};
  random.fill(byte);
  constexpr std::int64_t kTenthOfByte = 2'560;
  return wait_ms + wait_ms * byte[0] / kTenthOfByte;
}

void record_response(Site& site, const WebhookDelivery& delivery, const public_web::WebResponse& response) {
  constexpr int kGone = 410;
  constexpr int kSuccess = 2;
  const auto now_ms = site.clock.now_ms();
  if (response.status / 100 == kSuccess) return site.webhooks.set_delivered(delivery, now_ms);
  const auto error = response.status == 0 ? response.error : "the receiver answered " + std::to_string(response.status);
  if (response.status == kGone) return site.webhooks.end(delivery, error);
  auto next_ms = webhook_retry_ms(delivery.tries + 1);
  if (next_ms) *next_ms = now_ms + with_jitter(std::max(*next_ms, response.retry_after_s * kMsOfSecond), site.random);
  site.webhooks.set_failed(delivery, error, next_ms);
}

}  // namespace

WebhookJobs::WebhookJobs(Site& site, const std::atomic<bool>& is_ready, ClientDocuments::OpenWeb open_web)
    : site_(site), is_ready_(is_ready), open_web_(std::move(open_web)) {}

void WebhookJobs::send_messages() {
  run(sender_, [this] { send_and_receive(); });
}

void WebhookJobs::find_changes() {
  if (!is_ready_) return;
  run(finder_, [this] { find_license_changes(site_, is_stopping_); });
}

template <class Work>
void WebhookJobs::run(Job& job, const Work& work) {
  try {
    work();
    job.is_failure_reported = false;
  } catch (const std::exception& failure) {
    if (!job.is_failure_reported) site_.log.warning(job.failing + failure.what());
    job.is_failure_reported = true;
  }
}

bool WebhookJobs::start_due_messages() {
  if (sending_.size() == kSendingMax) return false;
  const auto now_ms = site_.clock.now_ms();
  auto due = site_.webhooks.claim_deliveries(now_ms, kLeaseMs, kSendingMax - sending_.size());
  for (auto& delivery : due) {
    // A clock that jumped ahead ends leases while their messages are sent. The person waits for the new lease.
    const bool is_sending = std::any_of(sending_.begin(), sending_.end(),
                                        [&](const auto& sent) { return sent.second.name_key == delivery.name_key; });
    if (is_sending) continue;
    const auto ticket = next_ticket_++;
    web_->start(request_of(delivery, ticket, now_ms / kMsOfSecond, site_.hashing));
    sending_.emplace(ticket, std::move(delivery));
  }
  return !due.empty();
}

void WebhookJobs::send_and_receive() {
  if (!web_) web_ = open_web_();
  std::exception_ptr failure;
  const auto until_ms = web_->now_ms() + kRoundMs;
  bool has_started = false;
  do {
    has_started = start_due_messages();
    while (!sending_.empty()) {
      const auto response = web_->next(kResponseWaitMs);
      if (!response) break;
      const auto sent = sending_.extract(response->ticket);
      try {
        record_response(site_, sent.mapped(), *response);
      } catch (const std::runtime_error&) {  // the message is sent again after its lease
        failure = std::current_exception();
      }
    }
  } while ((has_started || !sending_.empty()) && web_->now_ms() < until_ms);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tonearm::web
