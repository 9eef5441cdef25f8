#pragma once
// What tracks score beyond their terms because terms of the query are adjacent in them: in the title, or as a whole
// title, artist or tag. A single term has no boosts: impacts say what it is to a field (score.h). A synonym of several
// terms has boosts too (SORT-7), but none as a whole title or artist.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/index.h"
#include "catalog/query/query_terms.h"

namespace tonearm::catalog {

struct Boost {
  PostingList posting_list;
  std::uint32_t score = 0;
};

struct QueryPhrase {
  PhraseKind kind = PhraseKind::whole;
  std::uint64_t hash = 0;
};

/// What tracks may get a boost for: a phrase, or a tag that terms make up.
struct BoostCandidate {
  std::string key;                    // of the tag in the term dictionary
  std::optional<QueryPhrase> phrase;  // instead of a tag
  std::size_t begin = 0;              // the tokens
  std::size_t count = 0;
  std::size_t text = 0;  // whose tokens: 0: of the query; i: of its synonym i - 1
};
/// A phrase that means the same as `count` tokens of the query from `begin` on.
struct SynonymPhrase {
  PhraseView tokens;
  std::size_t begin = 0;
  std::size_t count = 0;
};
/// What boosts come from: the tokens of the query, and the phrases that mean the same as any of its own.
struct BoostTexts {
  std::span<const Token> tokens;
  std::span<const SynonymPhrase> synonyms;

  std::span<const Token> text(std::size_t number) const { return number == 0 ? tokens : synonyms[number - 1].tokens; }
};
/// Of these clauses, which `tokens` were split into, the phrases that boosts come from.
std::vector<SynonymPhrase> find_synonym_phrases(std::span<const ParsedClause> clauses);
/// Nothing is there twice, nor what a synonym shares with the query. A query of one token without synonyms has none.
std::vector<BoostCandidate> boost_candidates(const BoostTexts& texts);

/// Those that any track gets. `texts`: as for `boost_candidates`.
std::vector<Boost> read_boosts(std::span<const BoostCandidate> candidates, const BoostTexts& texts, const Index& index);

/// The boosts of one track after the other, at ascending positions.
class BoostReader {
 public:
  explicit BoostReader(std::span<const Boost> boosts);

  std::uint32_t at(std::uint32_t position);

 private:
  std::span<const Boost> boosts_;
  std::vector<ListCursor> cursors_;
};

}  // namespace tonearm::catalog
