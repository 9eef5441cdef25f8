#include "cleaning/words.h"

#include "text/unicode.h"
#include "tonearm/ascii.h"
#include "values/names.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kPluralMin = 4;

void add(Words& words, std::string word) {
  if (word.empty()) return;
  words.insert(singular(word));
  words.insert(std::move(word));
}

}  // namespace

std::string singular(std::string_view word) {
  const bool is_plural = word.size() >= kPluralMin && word.ends_with('s') && !word.ends_with("ss");
  return std::string(is_plural ? word.substr(0, word.size() - 1) : word);
}

void add_rule_words(Words& words, std::string_view text) {
  std::string word;
  char last = ' ';  // a letter for each non-ASCII character
  for (std::size_t at = 0; at < text.size();) {
    const auto c = text::next_code_point(text, at);
    const char plain = c < 0x80 ? static_cast<char>(c) : 'x';
    const bool is_of_word = !is_word_separator(c);
    const bool breaks = !is_of_word || ascii::is_digit(plain) != ascii::is_digit(last) ||
                        (ascii::is_upper(plain) && ascii::is_lower(last));
    if (breaks && !word.empty()) {
      add(words, word);
      word.clear();
    }
    if (is_of_word) text::append_utf8(word, c < 0x80 ? static_cast<char32_t>(ascii::to_lower(plain)) : c);
    last = plain;
  }
  add(words, std::move(word));
}

void add_search_words(Words& words, std::string_view text) {
  std::string word;
  for (std::size_t at = 0; at < text.size();) {
    const auto c = text::next_code_point(text, at);
    if (!is_word_separator(c)) {
      text::append_utf8(word, c < 0x80 ? static_cast<char32_t>(ascii::to_lower(static_cast<char>(c))) : c);
    } else if (!word.empty()) {
      words.insert(word);
      word.clear();
    }
  }
  if (!word.empty()) words.insert(std::move(word));
}

Words rule_words(const Track& track) {
  Words words;
  add_rule_words(words, title_to_match(track));
  for (const auto& ids : track.tags) {
    for (const auto& id : ids) {
      words.insert(id);
      add_rule_words(words, id);
    }
  }
  return words;
}

}  // namespace tonearm::builder
