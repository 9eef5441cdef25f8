#pragma once
// The clauses of a query with their posting lists and weights, and how single tracks match them. Posting lists may be
// lists or bitmaps.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "catalog/index/posting_list.h"
#include "catalog/query/member_reader.h"
#include "catalog/query/score.h"

namespace tonearm::catalog {

/// A term of the query with its weight.
struct WeightedTerm {
  PostingList posting_list;
  std::uint32_t weight = 0;  // score.h
  std::uint64_t boost = 0;   // added to the score of a listed track with the term (AUTO-6)

  std::uint64_t max_score() const { return std::uint64_t{weight} * 255; }
};

/// A term set scores the sum of weight * impact over its terms, a clause the maximum over its term sets, a track the
/// sum over the clauses.
using WeightedTermSet = std::vector<WeightedTerm>;
using WeightedClause = std::vector<WeightedTermSet>;

inline bool is_single_term(const WeightedClause& clause) { return clause.size() == 1 && clause.front().size() == 1; }

/// Returns the shortest posting list, which bounds the matches of a term set.
inline const PostingList& rarest(const WeightedTermSet& terms) {
  return std::min_element(terms.begin(), terms.end(),
                          [](const auto& a, const auto& b) { return a.posting_list.count < b.posting_list.count; })
      ->posting_list;
}

/// Returns an upper bound of the clause's matches.
inline std::uint64_t max_matches(const WeightedClause& clause) {
  std::uint64_t sum = 0;
  for (const WeightedTermSet& terms : clause) sum += rarest(terms).count;
  return sum;
}

/// Returns the impact of a term in a track by its bitmap; 0 if the track does not contain the term.
inline std::uint32_t impact_in(const PostingList& dense, std::uint32_t position) {
  if (!has_bit(dense.bits.data(), position)) return 0;
  const std::uint32_t word = position / kWordBits;
  const std::uint64_t below = dense.bits[word] & ((std::uint64_t{1} << (position % kWordBits)) - 1);
  return dense.impact_at(dense.ranks[word] + static_cast<std::size_t>(std::popcount(below)));
}

/// Makes contiguous what scoring reads of lists (PostingList::load).
inline void load_lists(WeightedClause& clause) {
  for (WeightedTermSet& terms : clause) {
    for (WeightedTerm& term : terms) {
      if (!term.posting_list.dense) term.posting_list.load();
    }
  }
}

/// Whether tracks match a clause. Calls must have ascending positions.
class ClauseMembers {
 public:
  explicit ClauseMembers(const WeightedClause& clause) {
    for (const WeightedTermSet& terms : clause) {
      auto& readers = sets_.emplace_back();
      for (const WeightedTerm& term : terms) readers.emplace_back(term.posting_list);
    }
  }
  bool contains(std::uint32_t position) {
    return std::any_of(sets_.begin(), sets_.end(), [&](auto& readers) {
      return std::all_of(readers.begin(), readers.end(),
                         [&](MemberReader& reader) { return reader.contains(position); });
    });
  }

 private:
  std::vector<std::vector<MemberReader>> sets_;
};

/// Scores tracks by a term. Calls must have ascending positions.
class TermScores {
 public:
  explicit TermScores(const WeightedTerm& term) : term_(term), cursor_(term.posting_list.positions) {
    if (term.posting_list.impacts.is_in_memory()) resident_impacts_ = term.posting_list.impacts.all();
  }

  /// Returns weight * impact and the boost; 0 if the track does not contain the term.
  std::uint64_t at(std::uint32_t position) {
    const std::uint32_t impact = impact_at(position);
    return impact == 0 ? 0 : std::uint64_t{term_.weight} * impact + term_.boost;
  }

 private:
  std::uint32_t impact_at(std::uint32_t position) {
    const PostingList& list = term_.posting_list;
    if (list.dense) return impact_in(list, position);
    if (!cursor_.find(position)) return 0;
    const std::size_t member = cursor_.at();
    return member < resident_impacts_.size() ? resident_impacts_[member] : list.impact_at(member);
  }

  const WeightedTerm& term_;
  ListCursor cursor_;
  std::span<const std::uint8_t> resident_impacts_;  // empty if they are remote
};

/// Scores tracks by a clause. Calls must have ascending positions.
class ClauseScores {
 public:
  explicit ClauseScores(const WeightedClause& clause) {
    for (const WeightedTermSet& terms : clause) {
      auto& readers = sets_.emplace_back();
      for (const WeightedTerm& term : terms) readers.emplace_back(term);
    }
  }
  /// Returns 0 if the track does not match.
  std::uint32_t at(std::uint32_t position) {
    std::uint32_t best = 0;
    for (auto& readers : sets_) {
      std::uint32_t sum = 0;
      for (TermScores& reader : readers) {
        const std::uint64_t score = reader.at(position);
        if (score == 0) {
          sum = 0;
          break;
        }
        sum = add_score(sum, score);
      }
      best = std::max(best, sum);
    }
    return best;
  }

 private:
  std::vector<std::vector<TermScores>> sets_;
};

}  // namespace tonearm::catalog
