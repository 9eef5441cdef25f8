#include "catalog/query/boost.h"

#include <algorithm>

#include "catalog/index/facets.h"
#include "catalog/query/score.h"

namespace tonearm::catalog {
namespace {

/// A longer query is hardly a phrase: of the tokens after these only whole fields are looked for.
constexpr std::size_t kTokensInPhrases = 16;
/// Tags of more terms are found by their terms.
constexpr std::size_t kTermsInTag = 3;

std::vector<std::string> stems_of(std::span<const Token> tokens) {
  std::vector<std::string> stems;
  stems.reserve(tokens.size());
  for (const Token& token : tokens) stems.push_back(token.stem);
  return stems;
}

void add_tags(std::span<const Token> tokens, std::vector<BoostCandidate>& candidates) {
  std::vector<std::string> seen;
  for (std::size_t begin = 0; begin < tokens.size(); ++begin) {
    std::string tag = tokens[begin].folded;
    for (std::size_t length = 2; length <= kTermsInTag && begin + length <= tokens.size(); ++length) {
      tag.append(1, '-').append(tokens[begin + length - 1].folded);
      if (std::find(seen.begin(), seen.end(), tag) != seen.end()) continue;
      seen.push_back(tag);
      for (const std::string_view facet : kFacetNames) candidates.push_back({facet_key(facet, tag), {}, begin, length});
    }
  }
}

/// The sum of the weights of terms. Few queries have a boost that needs it.
std::uint32_t weight_of(std::span<const Token> tokens, const Index& index) {
  const std::uint32_t tracks = index.layout.speech_end;
  std::uint32_t sum = 0;
  for (const Token& token : tokens) {
    const std::uint32_t with = index.terms.tracks_with(token.stem);
    if (with > tracks) damaged("a term has more tracks than can be found");
    if (with > 0) sum += term_weight(with, tracks);
  }
  return sum;
}

}  // namespace

std::vector<BoostCandidate> boost_candidates(std::span<const Token> tokens) {
  std::vector<BoostCandidate> candidates;
  if (tokens.size() < 2) return candidates;
  const std::vector<std::string> stems = stems_of(tokens);
  for (const PhraseKind kind : {PhraseKind::whole, PhraseKind::artist}) {
    candidates.push_back({{}, AskedPhrase{kind, phrase_hash(kind, stems)}, 0, tokens.size()});
  }
  const std::size_t in_phrases = std::min(tokens.size(), kTokensInPhrases);
  for (std::size_t i = 0; i + 1 < in_phrases; ++i) {
    const auto pair = std::span(stems).subspan(i, 2);
    const auto before = stems.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    // A pair that is repeated counts once.
    if (std::search(stems.begin(), before, pair.begin(), pair.end()) != before) continue;
    candidates.push_back({{}, AskedPhrase{PhraseKind::pair, phrase_hash(PhraseKind::pair, pair)}, i, 2});
  }
  add_tags(tokens.first(in_phrases), candidates);
  return candidates;
}

std::vector<Boost> read_boosts(std::span<const BoostCandidate> candidates, std::span<const Token> tokens,
                               const Index& index) {
  std::vector<Boost> boosts;
  for (const BoostCandidate& candidate : candidates) {
    const auto weight = [&] { return weight_of(tokens.subspan(candidate.begin, candidate.count), index); };
    if (!candidate.phrase) {
      if (const auto list = index.terms.posting_list(candidate.key)) boosts.push_back({*list, tag_boost(weight())});
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
        boost.score = pair_boost(weight());
        break;
      case PhraseKind::address:  // no query asks for one
        break;
    }
  }
  return boosts;
}

BoostReader::BoostReader(std::span<const Boost> boosts) : boosts_(boosts) {
  for (const Boost& boost : boosts) cursors_.emplace_back(boost.posting_list.positions);
}

std::uint32_t BoostReader::at(std::uint32_t position) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < boosts_.size(); ++i) {
    const PostingList& list = boosts_[i].posting_list;
    if (list.dense ? has_bit(list.bits.data(), position) : cursors_[i].find(position)) {
      sum = add_score(sum, boosts_[i].score);
    }
  }
  return sum;
}

}  // namespace tonearm::catalog
