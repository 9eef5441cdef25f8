#pragma once
// What tracks score beyond their terms because terms of the query are adjacent in them: in the title, or as a whole
// title, artist or tag. A query of one term has no boosts: impacts say what a single term is to a field (score.h).

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/index/index.h"

namespace tonearm::catalog {

struct Boost {
  PostingList posting_list;
  std::uint32_t score = 0;
};

struct AskedPhrase {
  PhraseKind kind = PhraseKind::whole;
  std::uint64_t hash = 0;
};

/// What tracks may get a boost for: a phrase, or a tag that terms make up.
struct BoostCandidate {
  std::string key;                    // of the tag in the term dictionary
  std::optional<AskedPhrase> phrase;  // instead of a tag
  std::size_t begin = 0;              // the tokens
  std::size_t count = 0;
};
/// A query of one token has none.
std::vector<BoostCandidate> boost_candidates(std::span<const Token> tokens);

/// Those that any track gets. `tokens`: of the query, as for `boost_candidates`.
std::vector<Boost> read_boosts(std::span<const BoostCandidate> candidates, std::span<const Token> tokens,
                               const Index& index);

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
