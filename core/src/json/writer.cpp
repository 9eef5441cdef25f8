#include "json/writer.h"

#include <array>
#include <charconv>

namespace tonearm::json {
namespace {

void append_integer(std::string& out, std::uint64_t value) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

void append_escaped(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(c);
  out += "\\u00";
  out += kHex[byte >> 4U];
  out += kHex[byte & 15U];
}

}  // namespace

void Writer::before_value() {
  if (needs_comma_) text_ += ',';
  needs_comma_ = true;
}

void Writer::open(char bracket) {
  before_value();
  text_ += bracket;
  needs_comma_ = false;
}

void Writer::close(char bracket) {
  text_ += bracket;
  needs_comma_ = true;
}

void Writer::key(std::string_view name) {
  string(name);
  text_ += ':';
  needs_comma_ = false;
}

void Writer::string(std::string_view value) {
  before_value();
  text_ += '"';
  std::size_t plain = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto byte = static_cast<unsigned char>(value[i]);
    if (byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7f) continue;
    text_.append(value, plain, i - plain);
    append_escaped(text_, value[i]);
    plain = i + 1;
  }
  text_.append(value, plain);
  text_ += '"';
}

void Writer::integer(std::int64_t value) {
  before_value();
  if (value < 0) text_ += '-';
  append_integer(text_, value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
}

void Writer::boolean(bool value) {
  before_value();
  text_ += value ? "true" : "false";
}

void Writer::null() {
  before_value();
  text_ += "null";
}

void Writer::decimal(std::uint64_t scaled, int digits) {
  before_value();
  std::uint64_t unit = 1;
  for (int i = 0; i < digits; ++i) unit *= 10;
  append_integer(text_, scaled / unit);
  std::uint64_t rest = scaled % unit;
  if (rest == 0) return;
  text_ += '.';
  while (rest != 0) {
    unit /= 10;
    text_ += static_cast<char>('0' + rest / unit);
    rest %= unit;
  }
}

void Writer::raw(std::string_view value) {
  before_value();
  text_ += value;
}

}  // namespace tonearm::json
