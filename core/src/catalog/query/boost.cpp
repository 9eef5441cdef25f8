#include "catalog/query/boost.h"

#include <algorithm>

#include "catalog/index/facets.h"
#include "catalog/query/score.h"

namespace tonearm::catalog {
namespace {

std::vector<std::string> stems_of(std::span<const Token> tokens) {
  std::vector<std::string> stems;
  stems.reserve(tokens.size());
  for (const Token& token : tokens) stems.push_back(token.stem);
  return stems;
}

/// What was already added for one of the texts.
struct Seen {
  std::vector<std::string> tags;
  std::vector<std::uint64_t> pairs;
};

/// Returns false if the value is already present.
template <class Value>
bool add_new(std::vector<Value>& values, const Value& value) {
  if (std::find(values.begin(), values.end(), value) != values.end()) return false;
  values.push_back(value);
  return true;
}

void add_tags(std::span<const Token> tokens, std::size_t text, Seen& seen, std::vector<BoostCandidate>& candidates) {
  for (std::size_t begin = 0; begin < tokens.size(); ++begin) {
    for (std::size_t length = 2; length <= kTermsInTag && begin + length <= tokens.size(); ++length) {
      const std::string tag = tag_of(tokens.subspan(begin, length));
      if (!add_new(seen.tags, tag)) continue;
      for (const std::string_view facet : kFacetNames) {
        candidates.push_back({facet_key(facet, tag), {}, begin, length, text});
      }
    }
  }
}

void add_pairs(std::span<const std::string> stems, std::size_t text, Seen& seen,
               std::vector<BoostCandidate>& candidates) {
  for (std::size_t i = 0; i + 1 < stems.size(); ++i) {
    const std::uint64_t hash = phrase_hash(PhraseKind::pair, stems.subspan(i, 2));
    if (add_new(seen.pairs, hash)) candidates.push_back({{}, QueryPhrase{PhraseKind::pair, hash}, i, 2, text});
  }
}

/// Returns 0 if no track contains the token.
std::uint32_t weight_of(const Token& token, const Index& index) {
  const std::uint32_t tracks = index.layout.speech_end;
  const std::uint32_t with = index.terms.document_frequency(token.stem);
  if (with > tracks) throw_damaged("a term has too many tracks");
  return with > 0 ? term_weight(with, tracks) : 0;
}

/// Sums the weights of terms. Few queries have a boost that needs it.
std::uint32_t weight_of(std::span<const Token> tokens, const Index& index) {
  std::uint32_t sum = 0;
  for (const Token& token : tokens) sum += weight_of(token, index);
  return sum;
}

std::uint32_t adjacent_boost(bool is_tag, std::uint32_t weights) {
  return is_tag ? tag_boost(weights) : pair_boost(weights);
}

/// Returns the boost of a tag or a pair.
std::uint32_t boost_of(const BoostCandidate& candidate, const BoostTexts& texts, const Index& index) {
  const bool is_tag = !candidate.phrase;
  const std::span<const Token> text = texts.text(candidate.text);
  const std::uint32_t own = adjacent_boost(is_tag, weight_of(text.subspan(candidate.begin, candidate.count), index));
  if (candidate.text == 0) return own;
  const SynonymPhrase& synonym = texts.synonyms[candidate.text - 1];
  const std::span<const Token> query_tokens = texts.tokens.subspan(synonym.begin, synonym.count);
  const bool is_known =
      std::all_of(query_tokens.begin(), query_tokens.end(), [&](auto& token) { return weight_of(token, index) > 0; });
  if (!is_known) return synonym_boost(own, own);
  const std::uint32_t weights = weight_of(query_tokens, index);
  if (query_tokens.size() > 1) return synonym_boost(own, adjacent_boost(is_tag, weights));
  const auto pairs = static_cast<std::uint32_t>(text.size() - 1);
  return synonym_boost(own, kPhraseImpact * weights / (is_tag ? 1 : pairs));
}

}  // namespace

std::vector<SynonymPhrase> find_synonym_phrases(std::span<const ParsedClause> clauses) {
  std::vector<SynonymPhrase> phrases;
  std::size_t before = 0;
  for (const ParsedClause& parsed : clauses) {
    if (before >= kTokensInPhrases) break;
    for (const PhraseView phrase : parsed.phrases) phrases.push_back({phrase, before, parsed.length});
    before += parsed.length;
  }
  return phrases;
}

std::vector<BoostCandidate> boost_candidates(const BoostTexts& texts) {
  std::vector<BoostCandidate> candidates;
  Seen seen;
  for (std::size_t text = 0; text <= texts.synonyms.size(); ++text) {
    if (texts.text(text).size() < 2) continue;
    const std::vector<std::string> stems = stems_of(texts.text(text));
    if (text == 0) {
      for (const PhraseKind kind : {PhraseKind::whole, PhraseKind::artist}) {
        candidates.push_back({{}, QueryPhrase{kind, phrase_hash(kind, stems)}, 0, stems.size(), text});
      }
    }
    const std::size_t in_phrases = std::min(stems.size(), kTokensInPhrases);
    add_pairs(std::span(stems).first(in_phrases), text, seen, candidates);
    add_tags(texts.text(text).first(in_phrases), text, seen, candidates);
  }
  return candidates;
}

std::vector<Boost> read_boosts(std::span<const BoostCandidate> candidates, const BoostTexts& texts,
                               const Index& index) {
  std::vector<Boost> boosts;
  for (const BoostCandidate& candidate : candidates) {
    if (!candidate.phrase) {
      if (const auto list = index.terms.posting_list(candidate.key)) {
        boosts.push_back({*list, boost_of(candidate, texts, index)});
      }
      continue;
    }
    const auto positions = index.phrases.tracks_of(candidate.phrase->hash);
    if (positions.empty()) continue;
    Boost& boost = boosts.emplace_back();
    boost.posting_list.positions = positions;
    switch (candidate.phrase->kind) {
      case PhraseKind::whole:
        boost.score = kWholeBoost;
        break;
      case PhraseKind::artist:
        boost.score = kArtistBoost;
        break;
      case PhraseKind::pair:
        boost.score = boost_of(candidate, texts, index);
        break;
      case PhraseKind::address:  // queries never look for addresses
        break;
    }
  }
  return boosts;
}

BoostReader::BoostReader(std::span<const Boost> boosts) : boosts_(boosts) {
  for (const Boost& boost : boosts) readers_.emplace_back(boost.posting_list);
}

std::uint32_t BoostReader::at(std::uint32_t position) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < boosts_.size(); ++i) {
    if (readers_[i].contains(position)) sum = add_score(sum, boosts_[i].score);
  }
  return sum;
}

}  // namespace tonearm::catalog
