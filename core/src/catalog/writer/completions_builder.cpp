#include "catalog/writer/completions_builder.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <vector>

#include "catalog/query/query_terms.h"
#include "text/unicode.h"

namespace tonearm::catalog {
namespace {

/// Whether a word may be offered alone or in a pair: function words and letters say nothing, and numbers only tell
/// takes apart.
bool is_offered(std::string_view folded) {
  return folded.size() > 1 && !is_function_word(folded) &&
         !std::all_of(folded.begin(), folded.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns the stems of a text with single spaces: searches for texts with the same stems find the same.
std::string stems_of(const std::string& text, Tokenizer& tokenizer) {
  std::string stems;
  tokenizer.each_stem(text, [&](std::string_view stem) { stems.append(stem).append(" "); });
  return stems;
}

}  // namespace

FoldedText fold_words(const std::string& text, Tokenizer& tokenizer) {
  FoldedText folded;
  tokenizer.each_folded(text, [&](std::string_view word) {
    if (!folded.words.empty()) folded.words += ' ';
    folded.last_word = folded.words.size();
    folded.words += word;
  });
  return folded;
}

void CompletionsBuilder::add_text(Candidates& candidates, const std::string& text, CompletionField field,
                                  Tokenizer& tokenizer) {
  const std::string shown(text::trimmed(text));
  FoldedText folded = fold_words(shown, tokenizer);
  if (folded.words.empty() || std::max(folded.words.size(), shown.size()) > kCompletionBytesMax) return;
  const auto [found, is_new] =
      candidates.try_emplace(std::move(folded.words), Candidate{shown, folded.last_word, field});
  Candidate& candidate = found->second;
  // Of equal texts, the spelling without punctuation and with the fewest capitals.
  const auto key = [](CompletionField of, const std::string& spelling) { return std::tuple(of, spelling.size()); };
  if (is_new || key(candidate.field, candidate.text) < key(field, shown)) return;
  if (key(field, shown) < key(candidate.field, candidate.text) || shown > candidate.text) {
    candidate.text = shown;
    candidate.field = field;
  }
}

void CompletionsBuilder::count_words(Candidates& frequent, const TrackText& text, Tokenizer& tokenizer) const {
  std::set<std::string> counted;
  const auto count = [&](const std::string& folded, std::size_t last_word) {
    if (folded.size() > kCompletionBytesMax || !counted.insert(folded).second) return;
    const auto found = frequent.try_emplace(folded, Candidate{folded, last_word, CompletionField::words}).first;
    ++found->second.tracks;
  };
  const auto count_pairs = [&](const std::string& line) {
    std::string last;
    tokenizer.each_folded(line, [&](std::string_view word) {
      const bool is_pair = !last.empty() && is_offered(last) && is_offered(word);
      if (is_pair) count(last + ' ' + std::string(word), last.size() + 1);
      last = word;
    });
  };
  tokenizer.each_folded(joined(text), [&](std::string_view word) {
    if (is_offered(word)) count(std::string(word), 0);
  });
  count_pairs(text.title);
  for (std::size_t begin = 0; begin < text.words.size();) {
    const std::size_t end = std::min(text.words.find('\n', begin), text.words.size());
    count_pairs(text.words.substr(begin, end - begin));
    begin = end + 1;
  }
}

void CompletionsBuilder::add(const Track& track, const TrackText& text, Tokenizer& tokenizer) {
  const auto kind = static_cast<std::size_t>(track.kind);
  Candidates& whole = whole_.at(kind);
  add_text(whole, text.title, CompletionField::title, tokenizer);
  add_text(whole, text.artist, CompletionField::artist, tokenizer);
  add_text(whole, text.category, CompletionField::category, tokenizer);
  for (const TrackText::Tag& tag : text.tags) add_text(whole, tag.label, CompletionField::tag, tokenizer);
  count_words(frequent_.at(kind), text, tokenizer);
}

std::string CompletionsBuilder::finish(const TotalOf& total_of, Tokenizer& tokenizer) {
  CompletionLists lists;
  for (std::size_t kind = 0; kind < lists.size(); ++kind) {
    Candidates& candidates = whole_.at(kind);
    std::vector<Candidates::value_type*> frequent;
    for (auto& it : frequent_.at(kind)) {
      if (it.second.tracks >= kFrequentMin) frequent.push_back(&it);
    }
    std::sort(frequent.begin(), frequent.end(), [](const auto* a, const auto* b) {
      return std::tuple(b->second.tracks, std::string_view(a->first)) <
             std::tuple(a->second.tracks, std::string_view(b->first));
    });
    frequent.resize(std::min(frequent.size(), kFrequentMax));
    std::set<std::string> known;
    for (const auto& [folded, candidate] : candidates) known.insert(stems_of(candidate.text, tokenizer));
    for (const auto* it : frequent) {
      if (known.insert(stems_of(it->second.text, tokenizer)).second) candidates.try_emplace(it->first, it->second);
    }
    for (auto& [folded, candidate] : candidates) {
      const std::uint64_t total = total_of(static_cast<Kind>(kind), candidate.text);
      if (total == 0) continue;
      const auto stored =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(total, std::numeric_limits<std::uint32_t>::max()));
      lists.at(kind).push_back({std::move(candidate.text), folded, candidate.last_word, candidate.field, stored});
    }
  }
  return encode_completions(lists);
}

}  // namespace tonearm::catalog
