#include "catalog/query_words.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace tonearm::catalog {
namespace {

constexpr std::array<std::string_view, 40> kFunctionWords{
    "a",     "an",    "and",    "are",   "as",    "at",     "be",     "by",      "for",   "from",
    "in",    "into",  "is",     "it",    "its",   "my",     "of",     "on",      "or",    "our",
    "some",  "that",  "the",    "their", "this",  "to",     "with",   "your",    "music", "song",
    "songs", "track", "tracks", "tune",  "sound", "sounds", "effect", "effects", "sfx",   "audio"};

Phrase as_phrase(const std::vector<std::string>& stems) {
  Phrase phrase = stems;
  std::sort(phrase.begin(), phrase.end());
  phrase.erase(std::unique(phrase.begin(), phrase.end()), phrase.end());
  return phrase;
}

}  // namespace

void Synonyms::add_set(const std::vector<std::string>& phrases, Tokenizer& tokenizer) {
  const std::size_t set = sets_.size();
  sets_.emplace_back();
  for (const auto& text : phrases) {
    std::vector<std::string> stems;
    tokenizer.each_stem(text, [&](std::string_view stem) { stems.emplace_back(stem); });
    if (stems.empty()) continue;
    sets_.back().push_back(as_phrase(stems));
    longest_ = std::max(longest_, stems.size());
    auto& sets = sets_of_phrase_[std::move(stems)];
    if (sets.empty() || sets.back() != set) sets.push_back(set);
  }
}

Synonyms::Found Synonyms::longest(std::span<const Word> words) const {
  for (std::size_t length = std::min(longest_, words.size()); length > 0; --length) {
    std::vector<std::string> stems;
    for (const Word& word : words.first(length)) stems.push_back(word.stem);
    const auto found = sets_of_phrase_.find(stems);
    if (found == sets_of_phrase_.end()) continue;
    std::vector<Phrase> phrases;
    for (const auto set : found->second) phrases.insert(phrases.end(), sets_[set].begin(), sets_[set].end());
    std::sort(phrases.begin(), phrases.end());
    phrases.erase(std::unique(phrases.begin(), phrases.end()), phrases.end());
    return {length, std::move(phrases)};
  }
  return {};
}

bool is_function_word(std::string_view folded) {
  return std::find(kFunctionWords.begin(), kFunctionWords.end(), folded) != kFunctionWords.end();
}

std::vector<GroupedWords> split_groups(std::span<const Word> words, const Synonyms& synonyms) {
  std::vector<GroupedWords> groups;
  while (!words.empty()) {
    Synonyms::Found found = synonyms.longest(words);
    if (found.length == 0) found = {1, {{words.front().stem}}};
    std::vector<std::string> asked;
    for (const Word& word : words.first(found.length)) asked.push_back(word.stem);
    groups.push_back({{std::move(found.phrases), {as_phrase(asked)}},
                      found.length,
                      found.length == 1 && is_function_word(words.front().folded)});
    words = words.subspan(found.length);
  }
  return groups;
}

std::vector<WordGroup> group_words(std::span<const Word> words, const Synonyms& synonyms) {
  std::vector<WordGroup> telling;
  std::vector<WordGroup> function;
  for (GroupedWords& grouped : split_groups(words, synonyms)) {
    std::vector<WordGroup>& groups = grouped.is_function_word ? function : telling;
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const WordGroup& group) { return group.says_the_same(grouped.group); });
    if (same == groups.end()) {
      groups.push_back(std::move(grouped.group));
    } else {
      Phrase& asked = grouped.group.asked.front();
      if (std::find(same->asked.begin(), same->asked.end(), asked) == same->asked.end()) {
        same->asked.push_back(std::move(asked));
      }
    }
  }
  return telling.empty() ? function : telling;
}

}  // namespace tonearm::catalog
