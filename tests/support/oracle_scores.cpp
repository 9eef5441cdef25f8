// The scores of tracks, computed as core/src/catalog/query/score.h describes them.

#include <algorithm>

#include "oracle.h"

namespace tonearm::test::oracle {
namespace {

__extension__ using Wide = unsigned __int128;

/// floor(256 * log2(x)), with more digits than needed.
std::uint64_t log2_in_256ths(std::uint64_t x) {
  std::uint64_t whole = 0;
  while (x >> (whole + 1) != 0) ++whole;
  std::uint64_t mantissa = x << (63 - whole);  // 1..2 as a fraction of 2^63
  std::uint64_t result = whole;
  for (int digit = 0; digit < 8; ++digit) {
    Wide square = Wide{mantissa} * mantissa >> 63U;
    const bool one = square >> 64U != 0;
    if (one) square >>= 1U;
    mantissa = static_cast<std::uint64_t>(square);
    result = result * 2 + (one ? 1 : 0);
  }
  return result;
}

/// Returns min(count, 2) / (1 - b + b * length / average) in 1/16,384, times the weight in 1/64. Lengths are numbers,
/// the average in 1/256.
std::uint64_t by_length(std::uint64_t weight, std::uint64_t count, std::uint64_t length, std::uint64_t average,
                        std::uint64_t b_percent) {
  const Wide divisor = Wide{100 - b_percent} * average + Wide{b_percent} * length * 256;
  return static_cast<std::uint64_t>(Wide{weight} * std::min<std::uint64_t>(count, 2) * average * 25'600 / divisor);
}

}  // namespace

std::uint64_t Oracle::impact(std::size_t track, const std::string& word) const {
  const Texts& texts = texts_[track];
  const auto found = texts.words.find(word);
  if (found == texts.words.end()) return 0;
  const Occurrences& m = found->second;
  const std::uint64_t tags = count_tags(tracks_[track]);
  // Weights in 1/64: title 1.5, a tag 2, a tag of this word alone 1 more, artist 0.25, category 0.5, description 1,
  // a tag that fits no facet 0.75.
  std::uint64_t sum = by_length(96, m.title, texts.title.size(), averages_.title, 65);
  sum += by_length(128, m.tags, tags, averages_.tags, 30) + by_length(64, m.whole_tags, tags, averages_.tags, 30);
  sum += 256 * (16 * std::uint64_t{std::min(m.artist, 2U)} + 32 * std::uint64_t{std::min(m.category, 2U)});
  sum += by_length(64, m.description, texts.description, averages_.description, 75);
  sum += by_length(48, m.hidden, texts.hidden, averages_.hidden, 30);
  const std::uint64_t saturated = 255 * sum / (sum + 65'536U);  // k1 is 4
  const std::uint64_t quality = std::uint64_t{tracks_[track].quality} * 2 / 1000;
  if (m.title > 0 && texts.title.size() == 1) return std::clamp<std::uint64_t>(saturated, 140, 253) + quality;
  return std::clamp<std::uint64_t>(saturated, 1, 137) + quality;
}

std::uint64_t Oracle::tracks_with_word(const std::string& word) const {
  const auto found = document_frequencies_.find(word);
  return found == document_frequencies_.end() ? 0 : found->second;
}

std::uint64_t Oracle::weight(const std::string& word) const {
  const std::uint64_t with = tracks_with_word(word);
  if (with == 0) return 0;
  const std::uint64_t ratio = 256 + 256 * (2 * (findable_ - with) + 1) / (2 * with + 1);
  return std::max<std::uint64_t>(log2_in_256ths(ratio) - 2048, 1);
}

/// SORT-7: a synonym gets half of its boost, and at most half of what the query words would get.
std::uint64_t Oracle::limited(std::uint64_t boost, const Phrase& phrase, bool is_tag) const {
  if (phrase.query_tokens.empty()) return boost;
  std::uint64_t weights = 0;
  for (const Token& word : phrase.query_tokens) {
    if (weight(word.stem) == 0) return boost / 2;
    weights += weight(word.stem);
  }
  std::uint64_t most = 0;
  if (phrase.query_tokens.size() == 1) {
    most = 64 * weights / (is_tag ? 1 : phrase.words.size() - 1);
  } else {
    most = is_tag ? 77 * weights : 51 * weights;
  }
  return std::min(boost, most) / 2;
}

/// Returns the boost of a phrase whose words are adjacent in the title or are a tag; each counts once.
std::uint64_t Oracle::boost_of_phrase(std::size_t track, const Phrase& phrase, Adjacent& counted) const {
  const auto is_adjacent_in = [](const std::vector<std::string>& title, const std::vector<std::string>& pair) {
    return std::search(title.begin(), title.end(), pair.begin(), pair.end()) != title.end();
  };
  const std::vector<Token>& words = phrase.words;
  const std::size_t considered = std::min<std::size_t>(words.size(), 16);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < considered; ++i) {
    const std::vector<std::string> pair{words[i].stem, words[i + 1].stem};
    if (!counted.pairs.emplace(pair[0], pair[1]).second) continue;
    if (!is_adjacent_in(texts_[track].title, pair) && !is_adjacent_in(texts_[track].original, pair)) continue;
    sum += limited(51 * (weight(pair[0]) + weight(pair[1])), phrase, false);
  }
  for (std::size_t i = 0; i + 1 < considered; ++i) {
    std::string tag = words[i].whole;
    std::uint64_t weights = weight(words[i].stem);
    for (std::size_t k = i + 1; k < considered && k < i + 3; ++k) {
      tag += '-' + words[k].whole;
      weights += weight(words[k].stem);
      if (!counted.tags.insert(tag).second) continue;
      for (const auto& of_facet : tracks_[track].tags) {
        const bool has_tag = std::find(of_facet.begin(), of_facet.end(), tag) != of_facet.end();
        if (has_tag) sum += limited(77 * weights, phrase, true);
      }
    }
  }
  return sum;
}

std::vector<Oracle::Phrase> Oracle::synonyms_of(const std::vector<Token>& words) const {
  std::vector<Phrase> found;
  for (std::size_t at = 0; at < words.size() && at < 16;) {
    const std::size_t length = longest_phrase(words, at).first;
    std::vector<Token> typed;
    std::vector<std::string> stems;
    for (std::size_t i = at; i < at + length; ++i) typed.push_back(words[i]), stems.push_back(words[i].stem);
    for (std::size_t set = 0; length > 0 && set < synonyms_.size(); ++set) {
      if (std::find(synonyms_[set].begin(), synonyms_[set].end(), stems) == synonyms_[set].end()) continue;
      for (const auto& phrase : synonym_texts_[set]) found.push_back({phrase, typed});
    }
    at += std::max<std::size_t>(length, 1);
  }
  return found;
}

std::uint64_t Oracle::boost(std::size_t track, const std::vector<Token>& typed) const {
  Adjacent counted;
  std::uint64_t sum = boost_of_phrase(track, {typed, {}}, counted);
  for (const Phrase& phrase : synonyms_of(typed)) sum += boost_of_phrase(track, phrase, counted);
  if (typed.size() < 2) return sum;
  std::vector<std::string> words;
  words.reserve(typed.size());
  for (const Token& token : typed) words.push_back(token.stem);
  const std::vector<std::string>& artist = texts_[track].artist;
  const auto joined = [](std::initializer_list<std::vector<std::string>> parts) {
    std::vector<std::string> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  };
  const auto names = [&](const std::vector<std::string>& title) {
    const bool both = !title.empty() && !artist.empty();
    return words == title || (both && (words == joined({title, artist}) || words == joined({artist, title}) ||
                                       words == joined({title, {"by"}, artist})));
  };
  if (names(texts_[track].title) || names(texts_[track].original)) sum += 1U << 24U;
  if (words == artist) sum += 300'000;
  return sum;
}

/// Returns the score of a narrower or related phrase; 0 if the track does not contain all of it.
std::uint64_t Oracle::score_of_terms(std::size_t track, const TermSet& terms, std::uint64_t weight_max,
                                     std::uint64_t share, const Emphasis& emphasis) const {
  std::uint64_t sum = 0;
  for (const std::string& term : terms) {
    const std::uint64_t of_track = impact(track, term);
    if (of_track == 0) return 0;
    const std::uint64_t of_term = std::min(weight(term), weight_max) * share / (256 * terms.size());
    sum += std::max<std::uint64_t>(of_term, 1) * emphasis.halves / 2 * (of_track + emphasis.impact);
  }
  return sum;
}

std::uint64_t Oracle::score(std::size_t track, const std::vector<WantedTerm>& words, std::uint64_t halves) const {
  std::uint64_t sum = 0;
  for (const WantedTerm& word : words) {
    std::uint64_t heaviest = 0;
    for (const TermSet& term_set : word.typed) {
      const bool is_known =
          std::all_of(term_set.begin(), term_set.end(), [&](const auto& term) { return weight(term) > 0; });
      if (!is_known) continue;
      for (const auto& term : term_set) heaviest = std::max(heaviest, weight(term));
    }
    if (heaviest == 0) heaviest = ~std::uint64_t{0};
    std::uint64_t best = 0;
    for (const TermSet& term_set : word.same) {
      std::uint64_t of_term_set = 0;
      for (const auto& term : term_set) {
        const std::uint64_t of_track = impact(track, term);
        if (of_track == 0) {
          of_term_set = 0;
          break;
        }
        const std::uint64_t of_term =
            word.typed.count(term_set) != 0
                ? weight(term)
                : std::max<std::uint64_t>(
                      std::min(weight(term), heaviest) / (term_set.size() == 1 ? 2 : 4 * term_set.size()), 1);
        of_term_set += of_term * halves / 2 * of_track;
      }
      best = std::max(best, of_term_set);
    }
    for (const auto& [terms, share] : word.narrower) {
      best = std::max(best, score_of_terms(track, terms, heaviest, share, {halves, 0}));
    }
    sum += best;
  }
  return sum;
}

}  // namespace tonearm::test::oracle
