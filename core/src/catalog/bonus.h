#pragma once
// What tracks score on top of their words where the words of a query stand in a row: phrases and whole fields come
// first. A query of one word has none of it: impacts say what a single word is to a field (score.h).

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/phrases.h"
#include "catalog/postings.h"
#include "catalog/term_index.h"
#include "catalog/tokenizer.h"

namespace tonearm::catalog {

struct Bonus {
  Posting posting;
  std::uint32_t score = 0;
};

struct PhraseAsked {
  PhraseKind kind = PhraseKind::whole;
  std::uint64_t hash = 0;
};

/// What tracks may get a bonus for: words in a row, or a tag that they make up.
struct BonusCandidate {
  std::string key;                    // of the tag's term
  std::optional<PhraseAsked> phrase;  // instead of a tag
  std::size_t begin = 0;              // the words
  std::size_t count = 0;
};
/// A query of one word has none.
std::vector<BonusCandidate> bonus_candidates(std::span<const Word> words);

/// Those of a query's words that any track has. `tracks`: how many a search can find at all.
std::vector<Bonus> find_bonuses(std::span<const Word> words, const TermIndex& index, const PhraseIndex& phrases,
                                std::uint32_t tracks);

/// Reads them for positions that never go down.
class BonusReader {
 public:
  explicit BonusReader(std::span<const Bonus> bonuses);

  std::uint32_t at(std::uint32_t position);

 private:
  std::span<const Bonus> bonuses_;
  std::vector<ListCursor> cursors_;
};

}  // namespace tonearm::catalog
