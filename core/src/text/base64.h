#pragma once
// Base64 (RFC 4648). Pure, thread-safe.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tonearm::text {

/// The bytes of a text in either alphabet, with or without `=` at its end; nothing for what is no base64.
std::optional<std::vector<std::uint8_t>> decode_base64(std::string_view text);

}  // namespace tonearm::text
