#include "input/json_text.h"

#include <algorithm>

#include "values/decimal.h"

namespace tonearm::builder {
namespace {

namespace dom = simdjson::dom;

/// Returns the end of the string that begins at `begin`; an unterminated string ends with the text.
std::size_t string_end(std::string_view text, std::size_t begin) {
  auto at = begin + 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2U : 1U;
  return std::min(at + 1, text.size());
}

/// Substitutes each valid JSON number that simdjson rejects.
std::string substitute_rejected_numbers(std::string_view text, std::string (*substitute)(std::string_view number)) {
  dom::parser parser;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = std::min(text.find_first_of("\"-0123456789", at), text.size());
    out += text.substr(at, begin - at);
    if (begin == text.size()) break;
    const bool is_string = text[begin] == '"';
    at = is_string ? string_end(text, begin) : std::min(text.find_first_not_of("+-.0123456789eE", begin), text.size());
    const auto token = text.substr(begin, at - begin);
    const bool is_rejected = !is_string && is_json_number(token) &&
                             parser.parse(token.data(), token.size()).error() == simdjson::NUMBER_ERROR;
    if (is_rejected) {
      out += substitute(token);
    } else {
      out += token;
    }
  }
  return out;
}

}  // namespace

simdjson::simdjson_result<dom::element> parse_json(dom::parser& parser, const std::string& text,
                                                   std::string (*substitute)(std::string_view number)) {
  const auto root = parser.parse(text);
  return root.error() == simdjson::NUMBER_ERROR ? parser.parse(substitute_rejected_numbers(text, substitute)) : root;
}

}  // namespace tonearm::builder
