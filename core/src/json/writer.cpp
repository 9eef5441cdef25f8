#include "json/writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "tonearm/ascii.h"

namespace tonearm::json {
namespace {

void append_integer(std::string& out, std::uint64_t value) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

void append_escaped(std::string& out, char c) {
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
  out += "\\u00";
  ascii::append_hex(out, static_cast<std::uint8_t>(c));
}

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7f;
}

constexpr std::uint64_t kEach = 0x0101010101010101U;

/// The highest bit of bytes that are zero, and perhaps of some above such a byte.
std::uint64_t zeros(std::uint64_t bytes) { return (bytes - kEach) & ~bytes & (kEach << 7U); }

/// Whether each of eight characters stands for itself.
bool are_plain(std::uint64_t eight) {
  const std::uint64_t controls = (eight - kEach * 0x20) & ~eight & (kEach << 7U);
  return (controls | zeros(eight ^ kEach * '"') | zeros(eight ^ kEach * '\\') | zeros(eight ^ kEach * 0x7f)) == 0;
}

/// How many characters from `begin` on stand for themselves.
std::size_t plain_length(std::string_view value, std::size_t begin) {
  std::size_t at = begin;
  for (std::uint64_t eight = 0; at + sizeof eight <= value.size(); at += sizeof eight) {
    std::memcpy(&eight, value.data() + at, sizeof eight);
    if (!are_plain(eight)) break;
  }
  while (at < value.size() && is_plain(value[at])) ++at;
  return at - begin;
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
  quote(name, ":");
  needs_comma_ = false;
}

void Writer::string(std::string_view value) { quote(value, {}); }

/// Most are short and plain: they come in one piece.
void Writer::quote(std::string_view value, std::string_view suffix) {
  constexpr std::size_t kShort = 64;
  const std::size_t plain_at_first = plain_length(value, 0);
  if (plain_at_first == value.size() && value.size() <= kShort) {
    std::array<char, kShort + 4> quoted;  // NOLINT(*-member-init): only what was written is read
    char* at = quoted.data();
    if (needs_comma_) *at++ = ',';
    *at++ = '"';
    at = std::copy(value.begin(), value.end(), at);
    *at++ = '"';
    at = std::copy(suffix.begin(), suffix.end(), at);
    text_.append(quoted.data(), static_cast<std::size_t>(at - quoted.data()));
    needs_comma_ = true;
    return;
  }
  before_value();
  text_ += '"';
  for (std::size_t at = 0;; ++at) {
    const std::size_t plain = plain_length(value, at);
    text_.append(value, at, plain);
    at += plain;
    if (at == value.size()) break;
    append_escaped(text_, value[at]);
  }
  text_.append("\"").append(suffix);
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
