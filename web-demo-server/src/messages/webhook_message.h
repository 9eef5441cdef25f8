#pragma once
// Signs messages to webhooks as Standard Webhooks does (WEB-47), and decides when they are sent again. Pure,
// thread-safe.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tonearm/ports.h"

namespace tonearm::web {

/// Returns "whsec_" and the bytes in base64.
std::string webhook_secret(std::span<const std::uint8_t> bytes);

/// What a signature covers.
struct WebhookMessage {
  std::string_view id;
  std::int64_t timestamp_s = 0;
  std::string_view body;
};

/// Returns the value of the field `webhook-signature`. REQUIRES: `secret` is one of webhook_secret.
std::string webhook_signature(std::string_view secret, const WebhookMessage& message, Hashing& hashing);

/// Returns how long to wait after the n-th failed try, from 1; nothing if it was the last one.
std::optional<std::int64_t> webhook_retry_ms(std::int64_t tries);

/// Returns what is wrong with the address of a receiver, or an empty string. `allows_http`: whether http is accepted.
std::string_view webhook_address_error(std::string_view address, bool allows_http);

}  // namespace tonearm::web
