#pragma once
// Messages between the worker and the core (host-wasm/README.md, "Messages"): fixed-width little-endian
// numbers and bounded byte strings. Pure; what a message says is checked before it is believed.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/http.h"
#include "tonearm/ports.h"

namespace tonearm::wasm {

/// The number of the layout. It changes with every change of a message, an import or an export.
inline constexpr std::uint32_t kLayout = 1;

/// Bounds, in bytes or in fields. A body may hold one byte more than the core takes, so that the core is the one
/// to refuse it.
inline constexpr std::size_t kMethodBytesMax = 32;
inline constexpr std::size_t kTargetBytesMax = 8 * 1024;
inline constexpr std::size_t kFieldsMax = 100;
inline constexpr std::size_t kFieldNameBytesMax = 256;
inline constexpr std::size_t kFieldValueBytesMax = 32 * 1024;
inline constexpr std::size_t kBodyMessageBytesMax = 65'537;
inline constexpr std::size_t kSecretBytesMax = 1024;
inline constexpr std::size_t kMessageBytesMax = 256 * 1024;

/// What a service is started with.
struct Start {
  std::string key_secret;  // empty: made in the state
  Sha256 admin_token_hash{};
};

/// Nothing where the message breaks the layout or a bound, or has bytes left over.
std::optional<Request> decode_request(std::string_view message);
std::optional<Start> decode_start(std::string_view message);

std::string encode_answer(const Response& response);

}  // namespace tonearm::wasm
