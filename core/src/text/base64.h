#pragma once
// Base64 (RFC 4648). Pure, thread-safe.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace tonearm::text {

/// Decodes base64 in either alphabet, with or without padding; nullopt for other text.
std::optional<std::vector<std::uint8_t>> decode_base64(std::string_view text);

}  // namespace tonearm::text
