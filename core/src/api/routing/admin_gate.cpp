#include "api/routing/admin_gate.h"

#include <span>
#include <utility>

#include "api/requests/bearer.h"
#include "json/writer.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"
#include "tonearm/dates.h"

namespace tonearm::api {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kWrongTokensPerMinute = 10;
constexpr std::size_t kFingerprintBytes = 4;

}  // namespace

std::optional<Response> AdminGate::refuse(const RequestHead& head) {
  const auto token = bearer_token(head.headers, kAdminWords);
  if (token && is_token(*token, admin_token_hash_)) return std::nullopt;
  if (!token && token.error().code == ErrorCode::missing_api_key) return error_response(token.error());
  const Error wrong{ErrorCode::invalid_api_key, std::string(kAdminWords.invalid)};
  return refuse_wrong(head, token ? wrong : token.error());
}

std::optional<Response> AdminGate::refuse_metrics(const RequestHead& head) {
  const auto token = bearer_token(head.headers, kAdminWords);
  if (token && metrics_token_hash_ && is_token(*token, *metrics_token_hash_)) return std::nullopt;
  return refuse(head);
}

Response AdminGate::refuse_wrong(const RequestHead& head, const Error& error) {
  if (note_wrong_token()) {
    audit(head, {.method = head.method, .status = 401});
    return error_response(error);
  }
  auto response =
      error_response({ErrorCode::rate_limited, "Too many wrong admin tokens; the right one is accepted at once."});
  const std::int64_t left_ms = kMinuteMs - clock_.now_ms() % kMinuteMs;
  response.headers.push_back({"Retry-After", std::to_string((left_ms + 999) / 1000)});
  return response;
}

bool AdminGate::note_wrong_token() {
  const std::int64_t minute = clock_.now_ms() / kMinuteMs;
  const std::lock_guard lock(mutex_);
  if (std::exchange(minute_, minute) != minute) wrong_tokens_ = 0;
  if (++wrong_tokens_ <= kWrongTokensPerMinute) return true;
  ++not_audited_;
  return false;
}

/// In constant time.
bool AdminGate::is_token(std::string_view token, const Sha256& hash) {
  const Sha256 given = hashing_.sha256(token);
  std::uint32_t difference = 0;
  for (std::size_t i = 0; i < given.size(); ++i) difference |= std::uint32_t{given[i]} ^ hash[i];
  return difference == 0;
}

void AdminGate::audit(const RequestHead& head, const OperatorAct& act) {
  if (!report_act_) return;
  const auto token = bearer_token(head.headers, kAdminWords);
  std::int64_t not_audited = 0;
  {
    const std::lock_guard lock(mutex_);
    not_audited = std::exchange(not_audited_, 0);
  }
  json::Writer line;
  const auto write = [&line](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    line.key(name);
    line.string(text::quotable(value));
  };
  line.begin_object();
  write("time", rfc3339(clock_.now_ms()));
  if (token) {
    const Sha256 hash = hashing_.sha256(*token);
    write("token", ascii::to_hex(std::span(hash).first<kFingerprintBytes>()));
  }
  write("from", head.client);
  write("method", act.method);
  write("route", act.route);
  write("subject", act.subject);
  write("detail", act.detail);
  write("created", act.created);
  line.key("status");
  line.integer(act.status);
  if (not_audited > 0) {
    line.key("wrong_tokens_before");
    line.integer(not_audited);
  }
  line.end_object();
  report_act_(line.text());
}

}  // namespace tonearm::api
