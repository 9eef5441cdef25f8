#include "catalog/writer/completions_builder.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "catalog/index/hash.h"
#include "catalog/query/query_terms.h"
#include "text/split.h"
#include "text/unicode.h"
#include "text/unique.h"

namespace tonearm::catalog {
namespace {

/// Bounds the memory of texts that wait for their totals.
constexpr std::size_t kCountedTogether = 65'536;

/// Whether a word may be offered alone or in a pair: function words and letters say nothing, and numbers only tell
/// takes apart.
bool is_offered(std::string_view folded) {
  return folded.size() > 1 && !is_function_word(folded) &&
         !std::all_of(folded.begin(), folded.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Identifies a text by its folded words; never 0.
std::uint64_t hash_of(std::string_view folded) { return std::max<std::uint64_t>(hash64(folded), 1); }

/// Returns the stems of a text with single spaces: searches for texts with the same stems find the same.
std::string stems_of(const std::string& text, Tokenizer& tokenizer) {
  std::string stems;
  tokenizer.each_stem(text, [&](std::string_view stem) { stems.append(stem).append(" "); });
  return stems;
}

/// A word or a pair of words of a track, folded.
struct WordOrPair {
  std::uint64_t hash = 0;
  std::string text;

  friend bool operator<(const WordOrPair& a, const WordOrPair& b) { return a.hash < b.hash; }
  friend bool operator==(const WordOrPair& a, const WordOrPair& b) { return a.hash == b.hash; }
};

/// Returns each word and pair of words that may be offered, once.
std::vector<WordOrPair> words_and_pairs(const TrackText& text, Tokenizer& tokenizer) {
  std::vector<WordOrPair> found;
  const auto add = [&](std::string folded) {
    if (folded.size() > kCompletionBytesMax) return;
    const std::uint64_t hash = hash_of(folded);
    found.push_back({hash, std::move(folded)});
  };
  tokenizer.each_folded(joined(text), [&](std::string_view word) {
    if (is_offered(word)) add(std::string(word));
  });
  const auto add_pairs = [&](std::string_view line) {
    std::string last;  // empty: no word that may be offered
    tokenizer.each_folded(line, [&](std::string_view word) {
      const bool offered = is_offered(word);
      if (offered && !last.empty()) add(last + ' ' + std::string(word));
      last = offered ? word : std::string_view();
    });
  };
  add_pairs(text.title);
  for (const std::string_view line : text::split(text.words, '\n')) add_pairs(line);
  text::keep_first_of_equals(found);
  return found;
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
  const std::vector<WordOrPair> found = words_and_pairs(text, tokenizer);
  for (const WordOrPair& it : found) of_kind.tracks_with.prefetch(it.hash);
  for (const WordOrPair& it : found) {
    std::uint32_t& tracks = of_kind.tracks_with.insert(it.hash).first;
    if (++tracks != kFrequentMin) continue;
    of_kind.frequent.push_back(it.hash);
    of_kind.frequent_texts.append(it.text);
  }
}

void CompletionsBuilder::select_frequent() {
  for (OfKind& of_kind : kinds_) {
    std::vector<std::pair<std::uint32_t, std::string_view>> found;
    found.reserve(of_kind.frequent.size());
    for (std::size_t i = 0; i < of_kind.frequent.size(); ++i) {
      found.emplace_back(*of_kind.tracks_with.find(of_kind.frequent[i]), of_kind.frequent_texts[i]);
    }
    const auto last = found.begin() + static_cast<std::ptrdiff_t>(std::min(found.size(), kFrequentMax));
    std::partial_sort(found.begin(), last, found.end(), [](const auto& a, const auto& b) {
      return std::tie(b.first, a.second) < std::tie(a.first, b.second);
    });
    std::transform(found.begin(), last, std::back_inserter(of_kind.selected),
                   [](const auto& it) { return std::string(it.second); });
    of_kind.tracks_with = {};
    of_kind.frequent = {};
    of_kind.frequent_texts = {};
  }
}

std::size_t CompletionsBuilder::size() const {
  return std::accumulate(kinds_.begin(), kinds_.end(), std::size_t{0}, [](std::size_t sum, const OfKind& of_kind) {
    return sum + of_kind.whole.size() + of_kind.selected.size();
  });
}

CompletionTexts CompletionsBuilder::texts_of(Kind kind, const CountTexts& count, Tokenizer& tokenizer) const {
  const OfKind& of_kind = kinds_.at(static_cast<std::size_t>(kind));
  CompletionTexts texts;
  std::vector<CountedText> uncounted;
  const auto add_counted = [&] {
    count(kind, uncounted);
    for (const CountedText& it : uncounted) {
      if (it.total == 0) continue;
      const FoldedText folded = fold_words(it.text, tokenizer);
      const auto stored =
          static_cast<std::uint32_t>(std::min<std::uint64_t>(it.total, std::numeric_limits<std::uint32_t>::max()));
      texts.add({it.text, folded.words, folded.last_word, it.field, stored});
    }
    uncounted.clear();
  };
  const auto add = [&](std::string text, CompletionField field) {
    uncounted.push_back({std::move(text), field});
    if (uncounted.size() == kCountedTogether) add_counted();
  };
  std::vector<std::uint64_t> whole_stems;
  whole_stems.reserve(of_kind.whole.size());
  of_kind.whole.each([&](std::uint64_t /*hash*/, const Whole& whole) {
    std::string text(of_kind.text_of(whole));
    whole_stems.push_back(hash64(stems_of(text, tokenizer)));
    add(std::move(text), whole.field);
  });
  std::sort(whole_stems.begin(), whole_stems.end());
  std::unordered_set<std::uint64_t> known;
  for (const std::string& text : of_kind.selected) {
    const std::uint64_t stems = hash64(stems_of(text, tokenizer));
    if (std::binary_search(whole_stems.begin(), whole_stems.end(), stems) || !known.insert(stems).second) continue;
    add(text, CompletionField::words);
  }
  add_counted();
  return texts;
}

CompletionsEncoder CompletionsBuilder::encode(const CountTexts& count, Tokenizer& tokenizer) {
  CompletionsEncoder encoder;
  for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
    const CompletionTexts texts = texts_of(static_cast<Kind>(kind), count, tokenizer);
    kinds_.at(kind) = OfKind();
    encoder.add(texts);
  }
  return encoder;
}

}  // namespace tonearm::catalog
