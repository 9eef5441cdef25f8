#include "api/routing/admin_gate.h"

#include <span>
#include <utility>

#include "api/requests/bearer.h"
#include "domain/api_key.h"
#include "json/writer.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"
#include "tonearm/dates.h"

namespace tonearm::api {
namespace {

constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kWrongTokensPerMinute = 10;
constexpr std::size_t kFingerprintBytes = 4;

Error too_many_wrong_tokens() {
  return {ErrorCode::rate_limited, "Too many wrong admin tokens; the right one is accepted at once."};
}

}  // namespace

std::optional<Response> AdminGate::refuse(const RequestHead& head) {
  const auto token = presented_admin_token(head.headers);
  if (token && is_token(*token, admin_token_hash_)) return std::nullopt;
  if (!token && token.error().code == ErrorCode::missing_api_key) return error_response(token.error());
  return reject_token(head, token ? wrong_admin_token_error() : token.error());
}

std::optional<Response> AdminGate::refuse_metrics(const RequestHead& head) {
  const auto token = presented_admin_token(head.headers);
  if (token && metrics_token_hash_ && is_token(*token, *metrics_token_hash_)) return std::nullopt;
  return refuse(head);
}

Response AdminGate::reject_token(const RequestHead& head, const Error& error) {
  if (count_wrong_token()) {
    audit(head, {.method = head.method, .status = 401});
    return error_response(error);
  }
  auto response = error_response(too_many_wrong_tokens());
  const std::int64_t left_ms = kMinuteMs - clock_.now_ms() % kMinuteMs;
  response.headers.push_back({"Retry-After", std::to_string((left_ms + 999) / 1000)});
  return response;
}

bool AdminGate::count_wrong_token() {
  const std::int64_t minute = clock_.now_ms() / kMinuteMs;
  const std::lock_guard lock(mutex_);
  if (std::exchange(minute_, minute) != minute) wrong_tokens_ = 0;
  if (++wrong_tokens_ <= kWrongTokensPerMinute) return true;
  ++unaudited_;
  return false;
}

/// Compares in constant time.
bool AdminGate::is_token(std::string_view token, const Sha256& hash) {
  return equal_in_constant_time(hashing_.sha256(token), hash);
}

void AdminGate::audit(const RequestHead& head, const AuditEntry& act) {
  if (!write_audit_line_) return;
  std::int64_t unaudited = 0;
  std::int64_t reads = 0;
  {
    const std::lock_guard lock(mutex_);
    if (act.is_plain_read) return void(++reads_);
    unaudited = std::exchange(unaudited_, 0);
    reads = std::exchange(reads_, 0);
  }
  const auto token = presented_admin_token(head.headers);
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
  const auto write_count = [&line](std::string_view name, std::int64_t count) {
    if (count == 0) return;
    line.key(name);
    line.integer(count);
  };
  write_count("wrong_tokens_before", unaudited);
  write_count("reads_before", reads);
  line.end_object();
  write_audit_line_(line.text());
}

}  // namespace tonearm::api
