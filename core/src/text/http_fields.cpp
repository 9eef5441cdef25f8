#include "tonearm/http_fields.h"

#include <algorithm>

#include "tonearm/ascii.h"

namespace tonearm::http_fields {

bool is_token_char(char c) {
  return ascii::is_alphanumeric(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool is_token(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char); }

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::string_view next_element(std::string_view& list, char separator) {
  const auto end = std::min(list.find(separator), list.size());
  const auto element = trimmed(list.substr(0, end));
  list.remove_prefix(std::min(end + 1, list.size()));
  return element;
}

bool has_token(std::string_view list, std::string_view token) {
  while (!list.empty()) {
    if (ascii::equals_ignoring_case(next_element(list, ','), token)) return true;
  }
  return false;
}

std::optional<std::string_view> preference(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    bool quoted = false;
    std::size_t end = 0;
    for (; end < list.size() && (quoted || list[end] != ','); ++end) {
      if (quoted && list[end] == '\\' && end + 1 < list.size()) {
        ++end;
      } else if (list[end] == '"') {
        quoted = !quoted;
      }
    }
    std::string_view element = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    std::string_view named = next_element(element, ';');  // what follows are parameters
    if (!ascii::equals_ignoring_case(next_element(named, '='), name)) continue;
    std::string_view value = trimmed(named);
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
    return value;
  }
  return std::nullopt;
}

std::optional<int> weight(std::string_view qvalue) {
  if (qvalue.empty() || qvalue.size() > 5 || (qvalue[0] != '0' && qvalue[0] != '1')) return std::nullopt;
  if (qvalue.size() > 1 && qvalue[1] != '.') return std::nullopt;
  int value = (qvalue[0] - '0') * 1000;
  int unit = 100;
  for (const char c : qvalue.substr(std::min<std::size_t>(2, qvalue.size()))) {
    if (!ascii::is_digit(c)) return std::nullopt;
    value += (c - '0') * unit;
    unit /= 10;
  }
  return value <= 1000 ? std::optional(value) : std::nullopt;
}

bool matches_entity_tag(std::string_view list, std::string_view tag) {
  while (!list.empty()) {
    const auto begin = list.find_first_not_of(" \t,");
    if (begin == std::string_view::npos) return false;
    list.remove_prefix(begin);
    if (list.front() == '*') return true;
    if (list.starts_with("W/")) list.remove_prefix(2);
    if (list.empty() || list.front() != '"') return false;
    const auto end = list.find('"', 1);
    if (end == std::string_view::npos) return false;
    if (list.substr(0, end + 1) == tag) return true;
    list.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace tonearm::http_fields
