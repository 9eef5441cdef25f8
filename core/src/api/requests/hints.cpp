#include "api/requests/hints.h"

#include "text/unicode.h"
#include "tonearm/ascii.h"
#include "tonearm/edits.h"
#include "vocabulary/near_values.h"

namespace tonearm::api {

using vocabulary::ascii_letters;

namespace {

constexpr std::size_t kWordMax = 64;  // nothing is offered for a longer word

}  // namespace

std::optional<std::string_view> near_match(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > kWordMax || !text::is_utf8(word)) return std::nullopt;
  const std::string folded = text::fold_case(word);
  std::optional<std::string_view> best;
  std::size_t best_distance = typo_edits_max(folded.size()) + 1;
  for (const std::string_view candidate : candidates) {
    if (best_distance == 0) break;
    const std::size_t distance = edits_within<char>(folded, candidate, best_distance - 1);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

std::optional<std::string_view> same_letters(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string letters = ascii_letters(word);
  for (const std::string_view candidate : candidates) {
    if (!letters.empty() && ascii_letters(candidate) == letters) return candidate;
  }
  return std::nullopt;
}

std::optional<std::string_view> near_choice(std::string_view parameter, std::string_view word,
                                            std::span<const std::string_view> values) {
  if (const auto same = same_letters(word, values)) return same;
  if (const auto near = vocabulary::near_value(parameter, word, values)) return near;
  return near_match(word, values);
}

std::string tag_id_of(std::string_view label) {
  if (label.size() > kWordMax) return {};
  std::string id;
  const auto separate = [&] {
    if (!id.empty() && id.back() != '-') id += '-';
  };
  for (const char c : label) {
    if (ascii::is_alphanumeric(c) || c == '_') {
      id += ascii::to_lower(c);
    } else if (c == ' ' || c == '-') {
      separate();
    } else if (c == '&') {
      separate();
      id += "and-";
    } else if (c != '\'') {
      return {};
    }
  }
  if (!id.empty() && id.back() == '-') id.pop_back();
  return id;
}

bool is_alias(std::string_view name, std::string_view aliases) {
  const std::string letters = ascii_letters(name);
  while (!letters.empty() && !aliases.empty()) {
    const std::string_view alias = aliases.substr(0, aliases.find(' '));
    if (ascii_letters(alias) == letters) return true;
    aliases.remove_prefix(alias.size() < aliases.size() ? alias.size() + 1 : alias.size());
  }
  return false;
}

}  // namespace tonearm::api
