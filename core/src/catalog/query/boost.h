#pragma once
// Boosts: scores that tracks get beyond their terms because terms of the query are adjacent in them, in the title or as
// a whole title, artist or tag. A single term has no boosts, because impacts already reflect whole fields (score.h). A
// synonym of several terms has boosts too (SORT-7), but not as a whole title or artist.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/index.h"
#include "catalog/query/member_reader.h"
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

/// A possible source of a boost: a phrase, or a tag that several terms make up.
struct BoostCandidate {
  std::string key;                    // of the tag in the term dictionary
  std::optional<QueryPhrase> phrase;  // instead of a tag
  std::size_t begin = 0;              // the range of tokens
  std::size_t count = 0;
  std::size_t text = 0;  // the text of the tokens: 0 is the query, i its synonym i - 1
};
/// A phrase that is a synonym of `count` tokens of the query from `begin` on.
struct SynonymPhrase {
  PhraseView tokens;
  std::size_t begin = 0;
  std::size_t count = 0;
};
/// The texts that boosts come from: the query, and the synonyms of its phrases.
struct BoostTexts {
  std::span<const Token> tokens;
  std::span<const SynonymPhrase> synonyms;

  std::span<const Token> text(std::size_t number) const { return number == 0 ? tokens : synonyms[number - 1].tokens; }
};
/// Returns the synonym phrases of the clauses of a query.
std::vector<SynonymPhrase> find_synonym_phrases(std::span<const ParsedClause> clauses);
/// Returns each candidate once; candidates that a synonym shares with the query belong to the query. Returns none for a
/// query of one token without synonyms.
std::vector<BoostCandidate> boost_candidates(const BoostTexts& texts);

/// Returns the boosts that some track gets. `texts`: as for `boost_candidates`.
std::vector<Boost> read_boosts(std::span<const BoostCandidate> candidates, const BoostTexts& texts, const Index& index);

/// Returns the boosts of single tracks. Calls must have ascending positions.
class BoostReader {
 public:
  explicit BoostReader(std::span<const Boost> boosts);

  std::uint32_t at(std::uint32_t position);

 private:
  std::span<const Boost> boosts_;
  std::vector<MemberReader> readers_;
};

}  // namespace tonearm::catalog
