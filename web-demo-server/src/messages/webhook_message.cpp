#include "messages/webhook_message.h"

#include <sodium.h>

#include <algorithm>
#include <array>

#include "text/base64.h"
#include "text/web_address.h"

namespace tonearm::web {
namespace {

constexpr std::string_view kSecretPrefix = "whsec_";
constexpr std::size_t kAddressBytesMax = 2'000;
constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kHourMs = 60 * kMinuteMs;
/// The schedule that Standard Webhooks recommends, 75 hours in total.
constexpr std::array<std::int64_t, 9> kRetriesMs{5'000,        5 * kMinuteMs, 30 * kMinuteMs, 2 * kHourMs, 5 * kHourMs,
                                                 10 * kHourMs, 14 * kHourMs,  20 * kHourMs,   24 * kHourMs};

std::string to_base64(std::span<const std::uint8_t> bytes) {
  std::string text(sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
  sodium_bin2base64(text.data(), text.size(), bytes.data(), bytes.size(), sodium_base64_VARIANT_ORIGINAL);
  text.pop_back();  // the terminator
  return text;
}

}  // namespace

std::string webhook_secret(std::span<const std::uint8_t> bytes) {
  return std::string(kSecretPrefix) + to_base64(bytes);
}

std::string webhook_signature(std::string_view secret, const WebhookMessage& message, Hashing& hashing) {
  const auto bytes = text::decode_base64(secret.substr(kSecretPrefix.size())).value();
  const std::string key(bytes.begin(), bytes.end());
  std::string signed_text(message.id);
  signed_text.append(".").append(std::to_string(message.timestamp_s)).append(".").append(message.body);
  return "v1," + to_base64(hashing.hmac_sha256(key, signed_text));
}

std::optional<std::int64_t> webhook_retry_ms(std::int64_t tries) {
  const auto index = static_cast<std::size_t>(tries - 1);
  return index < kRetriesMs.size() ? std::optional(kRetriesMs.at(index)) : std::nullopt;
}

std::string_view webhook_address_error(std::string_view address, bool allows_http) {
  if (address.size() > kAddressBytesMax) return "The address must have at most 2000 characters.";
  const bool has_scheme = address.starts_with("https://") || (allows_http && address.starts_with("http://"));
  if (!has_scheme) return "The address must begin with https://.";
  const auto parts = text::parse_web_address(address);
  const bool is_printable = std::all_of(address.begin(), address.end(), [](char c) { return c > ' ' && c <= '~'; });
  if (!parts || parts->host.empty() || !is_printable || parts->authority.find('@') != std::string_view::npos ||
      address.find('#') != std::string_view::npos) {
    return "The address must be a web address without user and fragment.";
  }
  return {};
}

}  // namespace tonearm::web
