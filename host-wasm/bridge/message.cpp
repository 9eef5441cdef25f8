#include "message.h"

#include <algorithm>
#include <stdexcept>

#include "tonearm/message.h"

namespace tonearm::wasm {
namespace {

Headers read_fields(MessageReader& in) {
  Headers fields;
  for (std::uint32_t left = in.count(kFieldsMax); left > 0 && !in.is_malformed(); --left) {
    auto name = in.text(kFieldNameBytesMax);
    fields.push_back({std::move(name), in.text(kFieldValueBytesMax)});
  }
  return fields;
}

/// Space for the numbers and an account id.
constexpr std::size_t kFixedBytes = 256;

/// The limit of ShardService::make.
constexpr std::uint32_t kEpochMax = (1U << 20U) - 1;

/// The version of admission tickets, which may come from an object that runs another release.
constexpr std::uint32_t kTicketLayout = 1;
constexpr std::uint32_t kFirstParty = 1;
constexpr std::uint32_t kMessageCounted = 2;

void write_fields(MessageWriter& out, const Headers& fields) {
  out.number(fields.size());
  for (const auto& [name, value] : fields) {
    out.text(name);
    out.text(value);
  }
}

std::optional<Admitted> decode_admitted(std::string_view message) {
  MessageReader in(message);
  if (in.number() != kTicketLayout) return std::nullopt;
  Admitted admitted;
  admitted.account = in.text(kIdBytesMax);
  admitted.key_id = in.text(kIdBytesMax);
  const std::uint32_t flags = in.number();
  admitted.first_party = (flags & kFirstParty) != 0;
  admitted.began_ms = in.integer();
  admitted.counted_ms = in.integer();
  admitted.call_number = in.integer();
  admitted.headers = read_fields(in);
  if ((flags & kMessageCounted) != 0) admitted.counted_message = in.text(kIdBytesMax);
  if (!in.is_complete()) return std::nullopt;
  return admitted;
}

}  // namespace

std::optional<RequestMessage> decode_request(std::string_view bytes) {
  MessageReader in(bytes);
  if (in.number() != kLayout) return std::nullopt;
  RequestMessage message;
  const std::string admitted = in.text(kAdmittedBytesMax);
  const std::uint32_t waited_ms = in.number();
  message.request.head.method = in.text(kMethodBytesMax);
  message.request.head.target = in.text(kTargetBytesMax);
  message.request.head.headers = read_fields(in);
  // The platform sets this field itself, so it can be trusted.
  if (const auto* address = find_header(message.request.head.headers, "CF-Connecting-IP")) {
    message.request.head.client = *address;
  }
  message.request.body = in.text(kBodyMessageBytesMax);
  if (!in.is_complete()) return std::nullopt;
  if (admitted.empty()) return message;
  auto decoded = decode_admitted(admitted);
  if (!decoded) return std::nullopt;
  message.admitted = *std::move(decoded);
  message.admitted.waited_ms = waited_ms;
  return message;
}

std::optional<Start> decode_start(std::string_view message) {
  MessageReader in(message);
  if (in.number() != kLayout) return std::nullopt;
  Start start;
  start.key_secret = in.text(kSecretBytesMax);
  const auto hash = in.bytes(start.admin_token_hash.size());
  start.answer_cache_bytes = in.number();
  start.blocks_max = in.number();
  start.directory_epoch = in.number();
  start.oauth.service = in.text(kUrlBytesMax);
  start.oauth.authorization_server = in.text(kUrlBytesMax);
  if (!in.is_complete() || start.key_secret.empty() || start.directory_epoch > kEpochMax) return std::nullopt;
  std::transform(hash.begin(), hash.end(), start.admin_token_hash.begin(),
                 [](char byte) { return static_cast<std::uint8_t>(byte); });
  return start;
}

std::optional<std::string_view> decode_bytes(std::string_view message) {
  MessageReader in(message);
  if (in.number() != kLayout) return std::nullopt;
  const std::size_t size = in.number();
  const std::string_view bytes = in.bytes(size);
  if (!in.is_complete()) return std::nullopt;
  return bytes;
}

std::optional<AccountChange> decode_change(std::string_view message) {
  const auto bytes = decode_bytes(message);
  if (!bytes) return std::nullopt;
  MessageReader in(*bytes);
  AccountChange change;
  change.account = in.text(kIdBytesMax);
  change.number = in.integer();
  if (!in.is_complete()) return std::nullopt;
  return change;
}

std::string encode_outcome(const Outcome& outcome) {
  const Response& response = outcome.response;
  std::string fields;
  for (const auto& [name, value] : response.headers) {
    if (value.find('\n') != value.npos) throw std::logic_error("a header field contains a line feed");
    fields.append(name).append(":").append(value).append("\n");
  }
  MessageWriter out;
  out.reserve(kFixedBytes + fields.size() + response.body.size() + outcome.state.size() + outcome.records.size());
  out.number(kLayout);
  out.number(static_cast<std::size_t>(response.status));
  out.text(fields);
  out.text(response.body);
  out.text(outcome.account);
  out.text(outcome.state);
  out.text(outcome.records);
  return out.take();
}

std::string encode_admitted(const Admitted& admitted) {
  MessageWriter out;
  out.number(kTicketLayout);
  out.text(admitted.account);
  out.text(admitted.key_id);
  out.number((admitted.first_party ? kFirstParty : 0) | (admitted.counted_message ? kMessageCounted : 0));
  out.integer(admitted.began_ms);
  out.integer(admitted.counted_ms);
  out.integer(admitted.call_number);
  write_fields(out, admitted.headers);
  if (admitted.counted_message) out.text(*admitted.counted_message);
  return out.take();
}

std::string encode_change(const AccountChange& change) {
  MessageWriter out;
  out.text(change.account);
  out.integer(change.number);
  return out.take();
}

}  // namespace tonearm::wasm
