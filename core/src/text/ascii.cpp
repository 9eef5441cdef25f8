#include "tonearm/ascii.h"

namespace tonearm::ascii {

std::string to_lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return to_lower(c); });
  return lower;
}

void append_hex(std::string& out, std::uint8_t byte, std::string_view digits) {
  out += digits[byte >> 4U];
  out += digits[byte & 15U];
}

std::string to_hex(std::span<const std::uint8_t> bytes) {
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const std::uint8_t byte : bytes) append_hex(hex, byte);
  return hex;
}

std::string to_hex(std::string_view bytes) {
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const char c : bytes) append_hex(hex, static_cast<std::uint8_t>(c));
  return hex;
}

}  // namespace tonearm::ascii
