#include "catalog/writer/completions_builder.h"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <unordered_set>

#include "catalog/index/hash.h"
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

/// Identifies a text by its folded words; never 0.
std::uint64_t hash_of(const std::string& folded) { return std::max<std::uint64_t>(hash64(folded), 1); }

/// Returns the stems of a text with single spaces: searches for texts with the same stems find the same.
std::string stems_of(const std::string& text, Tokenizer& tokenizer) {
  std::string stems;
  tokenizer.each_stem(text, [&](std::string_view stem) { stems.append(stem).append(" "); });
  return stems;
}

/// Calls `visit` once with each word and pair of words that may be offered, folded, and where its last word begins.
template <class Visit>
void each_word_and_pair(const TrackText& text, Tokenizer& tokenizer, const Visit& visit) {
  std::set<std::string> visited;
  const auto visit_once = [&](const std::string& folded, std::size_t last_word) {
    if (folded.size() <= kCompletionBytesMax && visited.insert(folded).second) visit(folded, last_word);
  };
  const auto visit_pairs = [&](const std::string& line) {
    std::string last;
    tokenizer.each_folded(line, [&](std::string_view word) {
      const bool is_pair = !last.empty() && is_offered(last) && is_offered(word);
      if (is_pair) visit_once(last + ' ' + std::string(word), last.size() + 1);
      last = word;
    });
  };
  tokenizer.each_folded(joined(text), [&](std::string_view word) {
    if (is_offered(word)) visit_once(std::string(word), 0);
  });
  visit_pairs(text.title);
  for (std::size_t begin = 0; begin < text.words.size();) {
    const std::size_t end = std::min(text.words.find('\n', begin), text.words.size());
    visit_pairs(text.words.substr(begin, end - begin));
    begin = end + 1;
  }
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

void check_completions(const Completions& completions, std::string_view section, Tokenizer& tokenizer) {
  CompletionsEncoder encoder;
  for (std::size_t kind = 0; kind < kKindNames.size(); ++kind) {
    CompletionTexts texts;
    completions.each_entry(static_cast<Kind>(kind), [&](const Completions::Entry& entry) {
      if (!entry.is_whole) return;
      const Completion& it = entry.completion;
      const FoldedText folded = fold_words(it.text, tokenizer);
      if (folded.words != entry.key || folded.words.size() > kCompletionBytesMax) {
        throw_damaged("a completion differs from its words");
      }
      texts.add({it.text, folded.words, folded.last_word, it.field, static_cast<std::uint32_t>(it.total)});
    });
    encoder.add(texts);
  }
  std::string expected;
  encoder.finish([&](std::string_view part) { expected += part; });
  if (expected != section) throw_damaged("the completions differ from their texts");
}

void CompletionsBuilder::add_text(OfKind& of_kind, const std::string& text, CompletionField field,
                                  Tokenizer& tokenizer) {
  const std::string shown(text::trimmed(text));
  const FoldedText folded = fold_words(shown, tokenizer);
  if (folded.words.empty() || std::max(folded.words.size(), shown.size()) > kCompletionBytesMax) return;
  const auto [whole, is_new] = of_kind.whole.insert(hash_of(folded.words));
  // Of equal texts, the spelling without punctuation and with the fewest capitals.
  const auto key = [](CompletionField of, std::size_t size) { return std::tuple(of, size); };
  if (!is_new) {
    if (key(whole.field, whole.size) < key(field, shown.size())) return;
    if (key(whole.field, whole.size) == key(field, shown.size()) && shown <= of_kind.text_of(whole)) return;
  }
  whole = {of_kind.texts.size(), static_cast<std::uint8_t>(shown.size()), field};
  of_kind.texts += shown;
}

void CompletionsBuilder::add(const Track& track, const TrackText& text, Tokenizer& tokenizer) {
  OfKind& of_kind = kinds_.at(static_cast<std::size_t>(track.kind));
  add_text(of_kind, text.title, CompletionField::title, tokenizer);
  add_text(of_kind, text.artist, CompletionField::artist, tokenizer);
  add_text(of_kind, text.category, CompletionField::category, tokenizer);
  for (const TrackText::Tag& tag : text.tags) add_text(of_kind, tag.label, CompletionField::tag, tokenizer);
  each_word_and_pair(text, tokenizer, [&](const std::string& folded, std::size_t /*last_word*/) {
    ++of_kind.tracks_with.insert(hash_of(folded)).first;
  });
}

void CompletionsBuilder::select_frequent() {
  for (OfKind& of_kind : kinds_) {
    std::vector<std::uint32_t> counts;
    of_kind.tracks_with.each([&](std::uint64_t /*hash*/, std::uint32_t tracks) {
      if (tracks >= kFrequentMin) counts.push_back(tracks);
    });
    std::uint32_t least = kFrequentMin;
    if (counts.size() > kFrequentMax) {
      const auto last = counts.begin() + static_cast<std::ptrdiff_t>(kFrequentMax - 1);
      std::nth_element(counts.begin(), last, counts.end(), std::greater<>());
      least = *last;
    }
    of_kind.tracks_with.each([&](std::uint64_t hash, std::uint32_t tracks) {
      if (tracks >= least) of_kind.frequent.emplace(hash, Frequent{{}, 0, tracks});
    });
    of_kind.tracks_with = {};
    of_kind.texts_missing = of_kind.frequent.size();
  }
}

void CompletionsBuilder::add_frequent(const Track& track, const TrackText& text, Tokenizer& tokenizer) {
  OfKind& of_kind = kinds_.at(static_cast<std::size_t>(track.kind));
  if (of_kind.texts_missing == 0) return;
  each_word_and_pair(text, tokenizer, [&](const std::string& folded, std::size_t last_word) {
    const auto found = of_kind.frequent.find(hash_of(folded));
    if (found == of_kind.frequent.end() || !found->second.text.empty()) return;
    --of_kind.texts_missing;
    found->second.text = folded;
    found->second.last_word = last_word;
  });
}

CompletionTexts CompletionsBuilder::texts_of(Kind kind, const TotalOf& total_of, Tokenizer& tokenizer) const {
  const OfKind& of_kind = kinds_.at(static_cast<std::size_t>(kind));
  CompletionTexts texts;
  const auto add = [&](const std::string& text, const std::string& folded, std::size_t last_word,
                       CompletionField field) {
    const std::uint64_t total = total_of(kind, text);
    if (total == 0) return;
    const auto stored =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(total, std::numeric_limits<std::uint32_t>::max()));
    texts.add({text, folded, last_word, field, stored});
  };
  std::vector<std::uint64_t> whole_stems;
  whole_stems.reserve(of_kind.whole.size());
  of_kind.whole.each([&](std::uint64_t /*hash*/, const Whole& whole) {
    const std::string text(of_kind.text_of(whole));
    whole_stems.push_back(hash64(stems_of(text, tokenizer)));
    const FoldedText folded = fold_words(text, tokenizer);
    add(text, folded.words, folded.last_word, whole.field);
  });
  std::sort(whole_stems.begin(), whole_stems.end());
  std::vector<const Frequent*> frequent;
  frequent.reserve(of_kind.frequent.size());
  for (const auto& [hash, it] : of_kind.frequent) frequent.push_back(&it);
  std::sort(frequent.begin(), frequent.end(), [](const Frequent* a, const Frequent* b) {
    return std::tuple(b->tracks, std::string_view(a->text)) < std::tuple(a->tracks, std::string_view(b->text));
  });
  frequent.resize(std::min(frequent.size(), kFrequentMax));
  std::unordered_set<std::uint64_t> known;
  for (const Frequent* it : frequent) {
    const std::uint64_t stems = hash64(stems_of(it->text, tokenizer));
    if (std::binary_search(whole_stems.begin(), whole_stems.end(), stems) || !known.insert(stems).second) continue;
    add(it->text, it->text, it->last_word, CompletionField::words);
  }
  return texts;
}

CompletionsEncoder CompletionsBuilder::encode(const TotalOf& total_of, Tokenizer& tokenizer) {
  CompletionsEncoder encoder;
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    const CompletionTexts texts = texts_of(static_cast<Kind>(kind), total_of, tokenizer);
    kinds_.at(kind) = OfKind();
    encoder.add(texts);
  }
  return encoder;
}

}  // namespace tonearm::catalog
