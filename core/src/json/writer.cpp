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

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
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

bool needs_no_escape(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte != '"' && byte != '\\' && byte != 0x7f;
}

constexpr std::uint64_t kOnes = 0x0101010101010101U;

/// Sets the highest bit of each zero byte, and possibly of some bytes above it.
std::uint64_t zeros(std::uint64_t bytes) { return (bytes - kOnes) & ~bytes & (kOnes << 7U); }

/// Whether none of eight characters needs an escape.
bool need_no_escape(std::uint64_t eight) {
  const std::uint64_t controls = (eight - kOnes * 0x20) & ~eight & (kOnes << 7U);
  return (controls | zeros(eight ^ kOnes * '"') | zeros(eight ^ kOnes * '\\') | zeros(eight ^ kOnes * 0x7f)) == 0;
}

/// Counts the characters from `begin` on that need no escape.
std::size_t unescaped_length(std::string_view value, std::size_t begin) {
  std::size_t at = begin;
  for (std::uint64_t eight = 0; at + sizeof eight <= value.size(); at += sizeof eight) {
    std::memcpy(&eight, value.data() + at, sizeof eight);
    if (!need_no_escape(eight)) break;
  }
  while (at < value.size() && needs_no_escape(value[at])) ++at;
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

/// Most strings are short and need no escapes: they are appended in one call.
void Writer::quote(std::string_view value, std::string_view suffix) {
  constexpr std::size_t kShort = 64;
  const std::size_t unescaped = unescaped_length(value, 0);
  if (unescaped == value.size() && value.size() <= kShort) {
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
    const std::size_t length = unescaped_length(value, at);
    text_.append(value, at, length);
    at += length;
    if (at == value.size()) break;
    append_escaped(text_, value[at]);
  }
  text_.append("\"").append(suffix);
}

void Writer::integer(std::int64_t value) {
  before_value();
  if (value < 0) text_ += '-';
  append_integer(text_, magnitude(value));
}

void Writer::boolean(bool value) {
  before_value();
  text_ += value ? "true" : "false";
}

void Writer::null() {
  before_value();
  text_ += "null";
}

void Writer::decimal(std::int64_t scaled, int digits) {
  before_value();
  if (scaled < 0) text_ += '-';
  const std::uint64_t absolute = magnitude(scaled);
  std::uint64_t unit = 1;
  for (int i = 0; i < digits; ++i) unit *= 10;
  append_integer(text_, absolute / unit);
  std::uint64_t rest = absolute % unit;
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
