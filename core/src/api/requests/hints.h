#pragma once
// What a message or a suggestion may offer instead of a wrong name or value (ERROR-3). Pure, thread-safe.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::api {

/// Returns the candidate that a mistyped word most likely means, if one is near. Ignores case.
std::optional<std::string_view> near_match(std::string_view word, std::span<const std::string_view> candidates);

/// Returns the candidate that differs only in case and punctuation.
std::optional<std::string_view> same_letters(std::string_view word, std::span<const std::string_view> candidates);

/// Returns the value of a parameter that is nearest to a wrong one: by meaning if the word is one that people use
/// (`vocabulary/near_values.h`), because such a word is spelled as it was meant, else by spelling. `values`: those that
/// may be offered.
std::optional<std::string_view> near_choice(std::string_view parameter, std::string_view word,
                                            std::span<const std::string_view> values);

/// Returns the id of a tag that is written as a label ("Hip Hop"); empty if it has characters that labels rarely have.
std::string tag_id_of(std::string_view label);

/// Whether `aliases`, names separated by spaces, contain the name, but for case and punctuation.
bool is_alias(std::string_view name, std::string_view aliases);

/// Returns the name of the row that an unknown name means: another API's name for it, or a near spelling. `Row` has
/// `name` and `aliases`.
template <class Row>
std::optional<std::string_view> meant_name(std::string_view given, std::span<const Row> rows) {
  std::vector<std::string_view> names;
  for (const Row& row : rows) names.push_back(row.name);
  if (const auto same = same_letters(given, names)) return same;
  for (const Row& row : rows) {
    if (is_alias(given, row.aliases)) return row.name;
  }
  return near_match(given, names);
}

}  // namespace tonearm::api
