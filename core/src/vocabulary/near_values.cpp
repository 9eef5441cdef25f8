#include "vocabulary/near_values.h"

#include <algorithm>
#include <span>

#include "tonearm/ascii.h"
#include "vocabulary/near_words.h"

namespace tonearm::vocabulary {
namespace {

using std::string_view;

/// Calls `visit(word)` for each word until it returns true. Returns whether it did.
template <class Visit>
bool any_word(string_view words, const Visit& visit) {
  while (!words.empty()) {
    const string_view word = words.substr(0, words.find(' '));
    if (visit(word)) return true;
    words.remove_prefix(std::min(words.size(), word.size() + 1));
  }
  return false;
}

bool contains(string_view words, string_view letters) {
  return any_word(words, [letters](string_view word) { return ascii_letters(word) == letters; });
}

const NearRow* find_row(std::span<const NearRow> rows, auto matches) {
  const auto row = std::find_if(rows.begin(), rows.end(), matches);
  return row == rows.end() ? nullptr : &*row;
}

/// Returns the first of the row's own value and the words for it that may be offered.
std::optional<string_view> offered(const NearRow& row, std::span<const string_view> values) {
  std::optional<string_view> found;
  const auto is_offered = [&](string_view word) {
    const std::string letters = ascii_letters(word);
    const auto value = std::find_if(values.begin(), values.end(),
                                    [&](string_view candidate) { return ascii_letters(candidate) == letters; });
    if (value != values.end()) found = *value;
    return found.has_value();
  };
  if (!is_offered(row.value)) any_word(row.same, is_offered);
  return found;
}

}  // namespace

std::string ascii_letters(string_view text) {
  std::string letters;
  for (const char c : text) {
    if (ascii::is_alphanumeric(c)) letters += ascii::to_lower(c);
  }
  return letters;
}

std::optional<string_view> near_value(string_view parameter, string_view word, std::span<const string_view> values) {
  const auto table = std::find_if(kNearRows.begin(), kNearRows.end(),
                                  [parameter](const NearRows& it) { return it.parameter == parameter; });
  if (table == kNearRows.end()) return std::nullopt;
  std::string letters = ascii_letters(word);
  constexpr int kStepsMax = 4;  // from a word to what includes it
  for (int step = 0; step < kStepsMax && !letters.empty(); ++step) {
    const NearRow* own = find_row(table->rows, [&](const NearRow& row) {
      return ascii_letters(row.value) == letters || contains(row.same, letters);
    });
    if (own != nullptr) {
      if (const auto value = offered(*own, values)) return value;
      letters = ascii_letters(own->value);
    }
    const NearRow* broader = find_row(table->rows, [&](const NearRow& row) { return contains(row.narrower, letters); });
    if (broader == nullptr) return std::nullopt;
    letters = ascii_letters(broader->value);
  }
  return std::nullopt;
}

}  // namespace tonearm::vocabulary
