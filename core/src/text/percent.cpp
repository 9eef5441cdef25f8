#include "text/percent.h"

#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm::text {
namespace {

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
      const int high = ascii::hex_value(raw[i + 1]);
      const int low = ascii::hex_value(raw[i + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      decoded += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  if (!is_utf8(decoded)) return std::nullopt;
  return decoded;
}

}  // namespace

bool is_unreserved(char c) {
  return ascii::is_alphanumeric(c) || std::string_view("-._~").find(c) != std::string_view::npos;
}

void append_percent_encoded(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  out.append({'%', ascii::kUpperHexDigits[byte >> 4U], ascii::kUpperHexDigits[byte & 0xfU]});
}

std::string encode_percent(std::string_view text, std::string_view also_kept) {
  std::string encoded;
  for (const char c : text) {
    if (is_unreserved(c) || also_kept.find(c) != std::string_view::npos) {
      encoded += c;
    } else {
      append_percent_encoded(encoded, c);
    }
  }
  return encoded;
}

bool has_broken_escape(std::string_view raw) {
  for (std::size_t at = raw.find('%'); at != std::string_view::npos; at = raw.find('%', at + 1)) {
    const std::string_view digits = raw.substr(at + 1, 2);
    if (digits.size() < 2 || ascii::hex_value(digits[0]) < 0 || ascii::hex_value(digits[1]) < 0) return true;
  }
  return false;
}

std::optional<std::string> decode_percent(std::string_view raw) { return decode(raw, Plus::itself); }

std::optional<std::string> decode_query_component(std::string_view raw) { return decode(raw, Plus::space); }

}  // namespace tonearm::text
