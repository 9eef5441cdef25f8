#include "catalog/bonus.h"

#include <algorithm>

#include "catalog/facets.h"
#include "catalog/score.h"

namespace tonearm::catalog {
namespace {

/// A query of more words is hardly a phrase: of what lies behind them only whole fields are looked for.
constexpr std::size_t kWordsInRow = 16;
/// Tags of more words are found by their words.
constexpr std::size_t kTagWords = 3;

std::vector<std::string> stems_of(std::span<const Word> words) {
  std::vector<std::string> stems;
  stems.reserve(words.size());
  for (const Word& word : words) stems.push_back(word.stem);
  return stems;
}

void add_tags(std::span<const Word> words, std::vector<BonusCandidate>& candidates) {
  std::vector<std::string> seen;
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    std::string tag = words[begin].folded;
    for (std::size_t length = 2; length <= kTagWords && begin + length <= words.size(); ++length) {
      tag.append(1, '-').append(words[begin + length - 1].folded);
      if (std::find(seen.begin(), seen.end(), tag) != seen.end()) continue;
      seen.push_back(tag);
      for (const std::string_view facet : kFacetNames) candidates.push_back({facet_key(facet, tag), {}, begin, length});
    }
  }
}

/// The weights of words together. Few queries have words in a row that any track has, and need them.
std::uint32_t weight_of(std::span<const Word> words, const TermIndex& index, std::uint32_t tracks) {
  std::uint32_t sum = 0;
  for (const Word& word : words) {
    const std::uint32_t with = index.tracks_with(word.stem);
    if (with > tracks) damaged("a word stands in more tracks than can be found");
    if (with > 0) sum += word_weight(with, tracks);
  }
  return sum;
}

}  // namespace

std::vector<BonusCandidate> bonus_candidates(std::span<const Word> words) {
  std::vector<BonusCandidate> candidates;
  if (words.size() < 2) return candidates;
  const std::vector<std::string> stems = stems_of(words);
  for (const PhraseKind kind : {PhraseKind::whole, PhraseKind::artist}) {
    candidates.push_back({{}, PhraseAsked{kind, phrase_hash(kind, stems)}, 0, words.size()});
  }
  const std::size_t in_row = std::min(words.size(), kWordsInRow);
  for (std::size_t i = 0; i + 1 < in_row; ++i) {
    const auto pair = std::span(stems).subspan(i, 2);
    const auto before = stems.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    // A pair that is repeated counts once.
    if (std::search(stems.begin(), before, pair.begin(), pair.end()) != before) continue;
    candidates.push_back({{}, PhraseAsked{PhraseKind::pair, phrase_hash(PhraseKind::pair, pair)}, i, 2});
  }
  add_tags(words.first(in_row), candidates);
  return candidates;
}

std::vector<Bonus> find_bonuses(std::span<const Word> words, const TermIndex& index, const PhraseIndex& phrases,
                                std::uint32_t tracks) {
  std::vector<Bonus> bonuses;
  for (const BonusCandidate& candidate : bonus_candidates(words)) {
    const auto weight = [&] { return weight_of(words.subspan(candidate.begin, candidate.count), index, tracks); };
    if (!candidate.phrase) {
      if (const auto posting = index.posting(candidate.key)) bonuses.push_back({*posting, tag_bonus(weight())});
      continue;
    }
    const auto positions = phrases.tracks_of(candidate.phrase->hash);
    if (positions.empty()) continue;
    Bonus& bonus = bonuses.emplace_back();
    bonus.posting.positions = positions;
    switch (candidate.phrase->kind) {
      case PhraseKind::whole:
        bonus.score = kWholeBonus;
        break;
      case PhraseKind::artist:
        bonus.score = kArtistBonus;
        break;
      case PhraseKind::pair:
        bonus.score = pair_bonus(weight());
    }
  }
  return bonuses;
}

BonusReader::BonusReader(std::span<const Bonus> bonuses) : bonuses_(bonuses) {
  for (const Bonus& bonus : bonuses) cursors_.emplace_back(bonus.posting.positions);
}

std::uint32_t BonusReader::at(std::uint32_t position) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < bonuses_.size(); ++i) {
    const Posting& posting = bonuses_[i].posting;
    if (posting.dense ? has_bit(posting.bits.data(), position) : cursors_[i].find(position)) {
      sum = add_score(sum, bonuses_[i].score);
    }
  }
  return sum;
}

}  // namespace tonearm::catalog
