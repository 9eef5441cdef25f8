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

class Finder {
 public:
  Finder(std::span<const Word> words, const TermIndex& index, const PhraseIndex& phrases, std::uint32_t tracks)
      : words_(words), in_row_(std::min(words.size(), kWordsInRow)), index_(index), phrases_(phrases), tracks_(tracks) {
    for (const Word& word : words) stems_.push_back(word.stem);
  }

  std::vector<Bonus> find() {
    add_phrase(PhraseKind::whole, stems_, [] { return kWholeBonus; });
    add_phrase(PhraseKind::artist, stems_, [] { return kArtistBonus; });
    for (std::size_t i = 0; i + 1 < in_row_; ++i) {
      const auto pair = std::span(stems_).subspan(i, 2);
      const auto before = stems_.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      // A pair that is repeated counts once.
      if (std::search(stems_.begin(), before, pair.begin(), pair.end()) != before) continue;
      add_phrase(PhraseKind::pair, pair, [&] { return pair_bonus(weight_of(i, 2)); });
    }
    add_tags();
    return std::move(bonuses_);
  }

 private:
  /// The weights of words together. Few queries have words in a row that any track has, and need them.
  std::uint32_t weight_of(std::size_t begin, std::size_t count) const {
    std::uint32_t sum = 0;
    for (std::size_t i = begin; i < begin + count; ++i) {
      const std::uint32_t with = index_.tracks_with(stems_[i]);
      if (with > tracks_) damaged("a word stands in more tracks than can be found");
      if (with > 0) sum += word_weight(with, tracks_);
    }
    return sum;
  }

  template <class Score>
  void add_phrase(PhraseKind kind, std::span<const std::string> stems, const Score& score) {
    const auto positions = phrases_.tracks_of(phrase_hash(kind, stems));
    if (positions.empty()) return;
    Bonus& bonus = bonuses_.emplace_back();
    bonus.posting.positions = positions;
    bonus.score = score();
  }

  void add_tags() {
    std::vector<std::string> seen;
    for (std::size_t begin = 0; begin < in_row_; ++begin) {
      std::string tag = words_[begin].folded;
      for (std::size_t length = 2; length <= kTagWords && begin + length <= in_row_; ++length) {
        tag.append(1, '-').append(words_[begin + length - 1].folded);
        if (std::find(seen.begin(), seen.end(), tag) != seen.end()) continue;
        seen.push_back(tag);
        for (const std::string_view facet : kFacetNames) {
          const auto posting = index_.facet(facet, tag);
          if (posting) bonuses_.push_back({*posting, tag_bonus(weight_of(begin, length))});
        }
      }
    }
  }

  std::span<const Word> words_;
  std::size_t in_row_;
  const TermIndex& index_;
  const PhraseIndex& phrases_;
  std::uint32_t tracks_;
  std::vector<std::string> stems_;
  std::vector<Bonus> bonuses_;
};

}  // namespace

std::vector<Bonus> find_bonuses(std::span<const Word> words, const TermIndex& index, const PhraseIndex& phrases,
                                std::uint32_t tracks) {
  if (words.size() < 2) return {};
  return Finder(words, index, phrases, tracks).find();
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
