#include "values/names.h"

#include <algorithm>
#include <array>

#include "text/unicode.h"
#include "text/visible.h"
#include "tonearm/ascii.h"

namespace tonearm::builder {
namespace {

/// Placeholders for missing names, case-folded and without surrounding punctuation.
constexpr std::array<std::string_view, 35> kUnknownNames{"unknown",
                                                         "unknown artist",
                                                         "unknown artists",
                                                         "unknown author",
                                                         "unknown composer",
                                                         "unknown creator",
                                                         "unknown user",
                                                         "unknown source",
                                                         "artist unknown",
                                                         "author unknown",
                                                         "unbekannt",
                                                         "various",
                                                         "various artist",
                                                         "various artists",
                                                         "various authors",
                                                         "v.a",
                                                         "v/a",
                                                         "anon",
                                                         "anonymous",
                                                         "anonymous user",
                                                         "anonymous artist",
                                                         "anonymous author",
                                                         "none",
                                                         "null",
                                                         "n/a",
                                                         "n.a",
                                                         "not available",
                                                         "not specified",
                                                         "not stated",
                                                         "no artist",
                                                         "undefined",
                                                         "deleteduser",
                                                         "deleted user",
                                                         "email protected",
                                                         "e-mail masked"};

struct Range {
  char32_t first;
  char32_t last;
};
/// Non-ASCII punctuation and symbols. All other characters count as letters.
constexpr std::array<Range, 24> kPunctuation{{
    {0xa1, 0xa9},     {0xab, 0xb1},     {0xb4, 0xb4},     {0xb6, 0xb8},     {0xbb, 0xbb},       {0xbf, 0xbf},
    {0xd7, 0xd7},     {0xf7, 0xf7},     {0x2c2, 0x2df},   {0x2010, 0x205e}, {0x20a0, 0x20cf},   {0x2116, 0x2117},
    {0x2120, 0x2122}, {0x2190, 0x245f}, {0x2500, 0x2bff}, {0x2e00, 0x2e7f}, {0x3001, 0x3003},   {0x3008, 0x3020},
    {0x30fb, 0x30fb}, {0xfe10, 0xfe6f}, {0xff01, 0xff0f}, {0xff1a, 0xff20}, {0x1f000, 0x1faff}, {0xfff9, 0xfffd},
}};

/// Replaces each run of white space by one space.
std::string collapse_white_space(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto c = text::next_code_point(text, at);
    if (!text::is_white_space(c)) {
      text::append_utf8(out, c);
    } else if (!out.ends_with(' ')) {
      out += ' ';
    }
  }
  return out;
}

constexpr char32_t kFlat = 0x266d;
constexpr char32_t kSharp = 0x266f;

}  // namespace

bool is_word_separator(char32_t c) {
  if (c < 0x80) return !ascii::is_alphanumeric(static_cast<char>(c));
  if (text::is_invisible(c)) return true;
  return std::any_of(kPunctuation.begin(), kPunctuation.end(),
                     [&](const Range& range) { return range.first <= c && c <= range.last; });
}

std::string comparable_name(std::string_view name) {
  if (!text::is_utf8(name)) return {};
  const auto folded = text::fold_case(name);
  const auto is_digit = [](char c) { return ascii::is_digit(c); };
  std::string out;
  bool is_separated = false;  // a separator followed the end of `out`
  for (std::size_t at = 0; at < folded.size();) {
    const auto c = text::next_code_point(folded, at);
    const bool is_behind_letter = !is_separated && !out.empty() && !is_digit(out.back());
    if (is_behind_letter && (c == U'#' || c == kSharp || c == kFlat)) {
      out += c == kFlat ? "\u266d" : "#";
    } else if (is_word_separator(c)) {
      is_separated = true;
    } else {
      if (is_separated && c < 0x80 && is_digit(static_cast<char>(c)) && !out.empty() && is_digit(out.back()))
        out += '.';
      text::append_utf8(out, c);
      is_separated = false;
    }
  }
  return out;
}

bool is_creditable_name(std::string_view name) {
  constexpr std::string_view kAround = " \t\"'()[]{}<>*-_.?:;,/";
  const auto folded = collapse_white_space(text::fold_case(name));
  const auto first = folded.find_first_not_of(kAround);
  if (first == std::string::npos || !text::has_visible(folded)) return false;
  const auto core = std::string_view(folded).substr(first, folded.find_last_not_of(kAround) - first + 1);
  if (core == "\u2013" || core == "\u2014" || core == "\u2026") return false;
  return std::find(kUnknownNames.begin(), kUnknownNames.end(), core) == kUnknownNames.end();
}

}  // namespace tonearm::builder
