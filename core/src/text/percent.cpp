#include "text/percent.h"

#include "text/unicode.h"

namespace tonearm::text {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

enum class Plus : std::uint8_t { itself, space };

std::optional<std::string> decode(std::string_view raw, Plus plus) {
  std::string decoded;
  decoded.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '+' && plus == Plus::space) {
      decoded += ' ';
    } else if (raw[i] != '%') {
      decoded += raw[i];
    } else {
      if (i + 2 >= raw.size()) return std::nullopt;
      const int high = hex_digit(raw[i + 1]);
      const int low = hex_digit(raw[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  if (!is_utf8(decoded)) return std::nullopt;
  return decoded;
}

}  // namespace

std::optional<std::string> decode_percent(std::string_view raw) { return decode(raw, Plus::itself); }

std::optional<std::string> decode_query_component(std::string_view raw) { return decode(raw, Plus::space); }

}  // namespace tonearm::text
