#include "cleaning/words.h"

#include "tonearm/ascii.h"

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

void add_split_words(Words& words, std::string_view text) {
  std::string word;
  char last = ' ';
  for (const char c : text) {
    const bool breaks = !ascii::is_alphanumeric(c) || ascii::is_digit(c) != ascii::is_digit(last) ||
                        (ascii::is_upper(c) && ascii::is_lower(last));
    if (breaks && !word.empty()) {
      add(words, word);
      word.clear();
    }
    if (ascii::is_alphanumeric(c)) word += ascii::to_lower(c);
    last = c;
  }
  add(words, std::move(word));
}

void add_plain_words(Words& words, std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (ascii::is_alphanumeric(c)) {
      word += ascii::to_lower(c);
    } else if (!word.empty()) {
      words.insert(word);
      word.clear();
    }
  }
  if (!word.empty()) words.insert(std::move(word));
}

Words rule_words(const Track& track) {
  Words words;
  add_split_words(words, track.title);
  for (const auto& ids : track.tags) {
    for (const auto& id : ids) {
      words.insert(id);
      add_split_words(words, id);
    }
  }
  return words;
}

}  // namespace tonearm::builder
