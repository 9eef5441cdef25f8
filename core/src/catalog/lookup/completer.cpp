#include "catalog/lookup/completer.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "catalog/lookup/near_spellings.h"

namespace tonearm::catalog {
namespace {

/// COMPLETE-5: further words are not corrected.
constexpr std::size_t kCorrectedWordsMax = 4;
/// COMPLETE-4: so many words are tried as the last one.
constexpr std::size_t kLastWordsMax = 8;
/// COMPLETE-5: so many near spellings of a single word are completed.
constexpr std::size_t kNearMax = 3;

std::string joined(std::vector<std::string>::const_iterator begin, std::vector<std::string>::const_iterator end) {
  std::string text;
  for (auto word = begin; word != end; ++word) text.append(text.empty() ? "" : " ").append(*word);
  return text;
}
std::string joined(const std::vector<std::string>& words) { return joined(words.begin(), words.end()); }

/// Adds the completions whose text is not there yet.
void add_new(std::vector<Completion>& all, std::vector<Completion> more) {
  for (Completion& it : more) {
    const bool is_known =
        std::any_of(all.begin(), all.end(), [&](const Completion& other) { return other.text == it.text; });
    if (!is_known) all.push_back(std::move(it));
  }
}

}  // namespace

std::vector<Completion> Completer::complete(std::string_view typed, Kind kind, std::size_t limit,
                                            SearchContext& context) const {
  Words words;
  context.tokenizer.each_folded(typed, [&](std::string_view word) { words.emplace_back(word); });
  if (words.empty()) return {};
  const std::string whole = joined(words);
  fetcher_.completions(kind, std::vector{whole, words.back()});
  std::vector<Completion> found = index_.completions.find(kind, whole);
  if (found.empty() && words.size() > 1) found = last_word_completed(words, kind, context);
  if (found.empty()) found = corrected(words, kind, context);
  if (!index_.taken_down.empty()) recount(found, kind, context);
  found.resize(std::min(found.size(), limit));
  return found;
}

/// Returns what a search for each text finds, most first, without those that find nothing.
std::vector<Completion> Completer::counted(const Words& texts, Kind kind, SearchContext& context) const {
  SearchQuery query;
  query.kind = kind;
  query.match = WordMatch::all;
  query.q = joined(texts);
  search_.prefetch(query, context);
  std::vector<Completion> found;
  for (const std::string& text : texts) {
    query.q = text;
    const std::uint64_t total = search_.count(query, context);
    if (total > 0) found.push_back({text, CompletionField::words, total});
  }
  std::sort(found.begin(), found.end(), [](const Completion& a, const Completion& b) {
    return std::tie(b.total, a.text) < std::tie(a.total, b.text);
  });
  return found;
}

/// Replaces the stored totals, which include tracks that were taken down later, and removes texts that find nothing.
void Completer::recount(std::vector<Completion>& found, Kind kind, SearchContext& context) const {
  SearchQuery query;
  query.kind = kind;
  query.match = WordMatch::all;
  for (Completion& it : found) {
    query.q = it.text;
    it.total = search_.count(query, context);
  }
  std::erase_if(found, [](const Completion& it) { return it.total == 0; });
}

/// COMPLETE-4
std::vector<Completion> Completer::last_word_completed(const Words& words, Kind kind, SearchContext& context) const {
  const std::string before = joined(words.begin(), std::prev(words.end()));
  Words texts;
  for (const Completion& last : index_.completions.find(kind, words.back())) {
    Words completed;
    context.tokenizer.each_folded(last.text, [&](std::string_view word) { completed.emplace_back(word); });
    if (completed.size() == 1 && texts.size() < kLastWordsMax) texts.push_back(before + ' ' + completed.front());
  }
  return texts.empty() ? std::vector<Completion>{} : counted(texts, kind, context);
}

/// COMPLETE-5
std::vector<Completion> Completer::corrected(const Words& words, Kind kind, SearchContext& context) const {
  std::vector<Completion> found;
  if (words.size() == 1) {
    const Words near = near_words(words.front(), {kind, kNearMax}, index_, fetcher_);
    fetcher_.completions(kind, near);
    for (const std::string& word : near) add_new(found, index_.completions.find(kind, word));
  } else {
    Words respelled = words;
    for (std::size_t i = 0; i < std::min(words.size(), kCorrectedWordsMax); ++i) {
      const Words near = near_words(words[i], {kind, 1}, index_, fetcher_);
      if (!near.empty()) respelled[i] = near.front();
    }
    if (respelled == words) return {};
    const std::string whole = joined(respelled);
    fetcher_.completions(kind, std::vector{whole, respelled.back()});
    found = index_.completions.find(kind, whole);
    if (found.empty()) found = last_word_completed(respelled, kind, context);
  }
  for (Completion& it : found) it.is_corrected = true;
  return found;
}

}  // namespace tonearm::catalog
