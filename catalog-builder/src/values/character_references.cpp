// HTML character references and tags.

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "text/unicode.h"
#include "tonearm/ascii.h"
#include "values/text_repair.h"

namespace tonearm::builder {
namespace {

/// The names of U+00A0 to U+00FF, in order.
constexpr std::array<std::string_view, 96> kLatin1Names{
    "nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",    "copy",   "ordf",
    "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn", "sup2",   "sup3",   "acute",  "micro",
    "para",   "middot", "cedil",  "sup1",   "ordm",   "raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave",
    "Aacute", "Acirc",  "Atilde", "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",
    "Igrave", "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde", "Ouml",
    "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",  "szlig",  "agrave", "aacute",
    "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil", "egrave", "eacute", "ecirc",  "euml",   "igrave",
    "iacute", "icirc",  "iuml",   "eth",    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide",
    "oslash", "ugrave", "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml"};

constexpr std::array<std::pair<std::string_view, char32_t>, 18> kOtherNames{{
    {"amp", '&'},
    {"lt", '<'},
    {"gt", '>'},
    {"quot", '"'},
    {"apos", '\''},
    {"euro", 0x20AC},
    {"ndash", 0x2013},
    {"mdash", 0x2014},
    {"lsquo", 0x2018},
    {"rsquo", 0x2019},
    {"ldquo", 0x201C},
    {"rdquo", 0x201D},
    {"hellip", 0x2026},
    {"bull", 0x2022},
    {"trade", 0x2122},
    {"OElig", 0x152},
    {"oelig", 0x153},
    {"sbquo", 0x201A},
}};

std::optional<char32_t> named_character(std::string_view name) {
  const auto* latin = std::find(kLatin1Names.begin(), kLatin1Names.end(), name);
  if (latin != kLatin1Names.end()) return 0xA0 + static_cast<char32_t>(latin - kLatin1Names.begin());
  for (const auto& [other, c] : kOtherNames) {
    if (other == name) return c;
  }
  return std::nullopt;
}

/// Decodes "#233" and "#xE9".
std::optional<char32_t> numeric_character(std::string_view text) {
  text.remove_prefix(1);
  const bool is_hex = text.starts_with('x') || text.starts_with('X');
  if (is_hex) text.remove_prefix(1);
  if (text.empty() || text.size() > 7) return std::nullopt;
  char32_t value = 0;
  for (const char c : text) {
    const int digit = ascii::hex_value(c);
    if (digit < 0 || (!is_hex && digit > 9)) return std::nullopt;
    value = value * (is_hex ? 16 : 10) + static_cast<char32_t>(digit);
  }
  const bool is_text = value >= 0x20 && !text::is_control(value) && !text::is_bidi_override(value) &&
                       value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
  return is_text ? std::optional(value) : std::nullopt;
}

/// Returns the end of the tag that begins at `begin`; `begin` if there is none.
std::size_t tag_end(std::string_view text, std::size_t begin) {
  auto at = begin + 1;
  if (at < text.size() && text[at] == '/') ++at;
  if (at >= text.size() || !ascii::is_letter(text[at])) return begin;
  const auto end = text.find('>', at);
  return end == std::string_view::npos ? begin : end + 1;
}

}  // namespace

std::string decode_character_references(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = std::min(text.find('&', at), text.size());
    out += text.substr(at, begin - at);
    if (begin == text.size()) break;
    const auto end = text.find(';', begin);
    std::optional<char32_t> character;
    if (end != std::string_view::npos && end > begin + 1 && end - begin <= 10) {
      const auto name = text.substr(begin + 1, end - begin - 1);
      character = name.front() == '#' ? numeric_character(name) : named_character(name);
    }
    if (character) {
      text::append_utf8(out, *character);
      at = end + 1;
    } else {
      out += '&';
      at = begin + 1;
    }
  }
  return out;
}

std::string strip_tags(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = std::min(text.find('<', at), text.size());
    out += text.substr(at, begin - at);
    if (begin == text.size()) break;
    at = tag_end(text, begin);
    if (at == begin) {
      out += '<';
      at = begin + 1;
      continue;
    }
    const auto tag = text.substr(begin, at - begin);
    if (tag.starts_with("<br") || tag.starts_with("</p>")) out += '\n';
  }
  return out;
}

}  // namespace tonearm::builder
