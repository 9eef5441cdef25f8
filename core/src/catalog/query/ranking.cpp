#include "catalog/query/ranking.h"

#include <algorithm>
#include <functional>
#include <optional>

namespace tonearm::catalog {
namespace {

/// For pages that end after this, late ones, the top-k collector begins with an estimated score, and lists are
/// partitioned as a whole.
constexpr std::uint64_t kTopMax = 500;
/// How many bitmap words the estimate is made from.
constexpr std::uint32_t kSampledWords = 256;

/// Collects the tracks that may be on a page that ends at `count`: those with higher scores, and all with the minimum
/// competitive score, because only the order of ties decides between them.
class TopK {
 public:
  /// Ignores scores below `least`.
  TopK(std::size_t count, std::uint32_t least) : count_(count), prune_at_(2 * count + kWordBits), min_score_(least) {
    above_.reserve(prune_at_);
  }

  /// No track with a lower score can reach the page.
  std::uint32_t min_competitive_score() const { return min_score_; }
  bool is_competitive(std::uint32_t score) const { return score >= min_score_; }
  void add(std::uint32_t score, std::uint32_t position) {
    if (score < min_score_) return;
    if (score == min_score_) {
      tied_.push_back(position);
    } else {
      above_.push_back({score, position});
      if (above_.size() >= prune_at_) prune();
    }
  }
  /// Removes what cannot reach the page and raises the minimum competitive score as far as possible.
  void prune() {
    if (above_.size() < count_) return;
    const auto last = above_.begin() + static_cast<std::ptrdiff_t>(count_) - 1;
    std::nth_element(above_.begin(), last, above_.end(), [](auto& a, auto& b) { return a.score > b.score; });
    min_score_ = last->score;
    tied_.clear();
    for (const Scored& it : above_) {
      if (it.score == min_score_) tied_.push_back(it.position);
    }
    std::erase_if(above_, [&](const Scored& it) { return it.score <= min_score_; });
  }
  bool is_of_early_page() const { return count_ <= kTopMax; }
  bool is_complete() const { return above_.size() + tied_.size() >= count_; }
  std::vector<std::uint32_t> page(const PageRange& page, const TieOrder& order) {
    if (order.is_remote()) std::sort(tied_.begin(), tied_.end());
    return page_of_scored(std::move(above_), tied_, page, order);
  }

 private:
  std::size_t count_;
  std::size_t prune_at_;
  std::uint32_t min_score_;
  std::vector<Scored> above_;
  std::vector<std::uint32_t> tied_;
};

/// Walks the stored best tracks of a single term; returns nothing if they end before the page is full.
std::optional<std::vector<std::uint32_t>> page_of_best(const Matches& matches, const PageRange& page) {
  const std::uint64_t wanted = std::min(page.limit, matches.total - page.offset);
  std::vector<std::uint32_t> positions;
  std::uint64_t skip = page.offset;
  if (matches.best.size() < page.offset + wanted) return std::nullopt;
  for (const std::uint32_t position : matches.best) {
    if (!matches.bits.contains(position)) continue;
    if (skip > 0) {
      --skip;
      continue;
    }
    positions.push_back(position);
    if (positions.size() == wanted) return positions;
  }
  return std::nullopt;
}

/// Returns the matches with any boost and some of the best of each term, ascending and without duplicates. Scoring them
/// first raises the minimum competitive score. The page is the same without the best tracks, which a remote file stores
/// separately.
std::vector<std::uint32_t> likely_best(const Matches& matches, std::span<const Boost> boosts) {
  // Enough to fill the first page many times, and cheaper than scanning a bitmap.
  constexpr std::size_t kBestPerTerm = 256;
  const BitRange& bits = matches.bits;
  std::vector<std::uint32_t> found;
  const auto add = [&](const auto& positions) {
    for (const std::uint32_t position : positions) {
      if (bits.contains(position)) found.push_back(position);
    }
  };
  for (const Boost& boost : boosts) {
    add(boost.posting_list.positions);
    if (!boost.posting_list.dense) continue;
    for (std::uint32_t word = bits.range.first_word(); word < bits.range.last_word(); ++word) {
      for (std::uint64_t left = bits.word(word) & boost.posting_list.bits[word]; left != 0; left &= left - 1) {
        found.push_back(word * kWordBits + static_cast<std::uint32_t>(std::countr_zero(left)));
      }
    }
  }
  if (matches.partition) {
    for (const WeightedClause& clause : matches.clauses) {
      for (const WeightedTermSet& terms : clause) {
        const auto& best = terms.front().posting_list.best[*matches.partition];
        if (terms.size() == 1 && best.is_in_memory()) add(best.first(std::min(best.size(), kBestPerTerm)));
      }
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// A single term: searches the block maxima for the minimum competitive impact. For a late page, so many bitmap words
/// are competitive that batches are faster.
void collect_single_term(const Matches& matches, const Kernels& kernels, TopK& top) {
  const WeightedTerm& only = matches.clauses.front().front().front();
  const BitRange& bits = matches.bits;
  const std::span<const std::uint8_t> block_max = only.posting_list.block_max.all();
  const std::uint32_t last = bits.range.last_word();
  std::size_t word = bits.range.first_word();
  while (word < last) {
    const std::uint64_t least = (std::uint64_t{top.min_competitive_score()} + only.weight - 1) / only.weight;
    if (least > 255) break;
    word = kernels.next_at_least(block_max.data(), word, last,
                                 static_cast<std::uint8_t>(std::max<std::uint64_t>(least, 1)));
    if (word == last) break;
    const auto number = static_cast<std::uint32_t>(word++);
    for (std::uint64_t left = bits.word(number); left != 0; left &= left - 1) {
      const auto position = number * kWordBits + static_cast<std::uint32_t>(std::countr_zero(left));
      top.add(score_at(matches.clauses, position), position);
    }
  }
}

/// Scores the matches of a bitmap in batches of bitmap words, which is faster than one by one.
class BatchScores {
 public:
  static constexpr std::uint32_t kWordsPerBatch = 64;

  BatchScores(const Matches& matches, const Kernels& kernels) : matches_(matches), kernels_(kernels) {}

  /// Scores the matches in `words` bitmap words from `first` on, without those words for which `is_wanted(i)` is false.
  /// REQUIRES: words <= kWordsPerBatch.
  template <class IsWanted>
  void score(std::uint32_t first, std::uint32_t words, const IsWanted& is_wanted) {
    first_ = first;
    words_ = words;
    for (std::uint32_t i = 0; i < words; ++i) wanted_.at(i) = is_wanted(i) ? matches_.bits.word(first + i) : 0;
    score_matches(matches_.clauses, kernels_, first, std::span(wanted_).first(words), scores_);
  }

  /// Calls `visit(position, score)` for the scored matches, ascending.
  template <class Visit>
  void each(const Visit& visit) const {
    auto score = scores_.begin();
    for (std::uint32_t i = 0; i < words_; ++i) {
      for (std::uint64_t left = wanted_.at(i); left != 0; left &= left - 1) {
        visit((first_ + i) * kWordBits + static_cast<std::uint32_t>(std::countr_zero(left)), *score++);
      }
    }
  }

  /// Calls `visit(position, score)` for the scored matches with at least this score, ascending.
  template <class Visit>
  void each_at_least(std::uint32_t least, const Visit& visit) {
    if (kept_scores_.size() <= scores_.size()) {
      kept_positions_.resize(scores_.size() + 1);
      kept_scores_.resize(scores_.size() + 1);
    }
    std::size_t kept = 0;
    std::uint32_t* const positions = kept_positions_.data();
    std::uint32_t* const scores = kept_scores_.data();
    each([&](std::uint32_t position, std::uint32_t score) {
      // Written in any case: a branch would often be mispredicted.
      positions[kept] = position;
      scores[kept] = score;
      kept += score >= least ? 1U : 0U;
    });
    for (std::size_t i = 0; i < kept; ++i) visit(positions[i], scores[i]);
  }

 private:
  const Matches& matches_;
  const Kernels& kernels_;
  std::uint32_t first_ = 0;
  std::uint32_t words_ = 0;
  std::array<std::uint64_t, kWordsPerBatch> wanted_{};
  std::vector<std::uint32_t> scores_;
  std::vector<std::uint32_t> kept_positions_;
  std::vector<std::uint32_t> kept_scores_;
};

/// Calls `visit(first, words)` for each batch of the range.
template <class Visit>
void each_batch(const PositionRange& range, const Visit& visit) {
  for (std::uint32_t first = range.first_word(); first < range.last_word(); first += BatchScores::kWordsPerBatch) {
    visit(first, std::min(BatchScores::kWordsPerBatch, range.last_word() - first));
  }
}

constexpr auto kAllWords = [](std::uint32_t /*word*/) { return true; };

/// The other matches have no boost. They are scored only where the bound of their bitmap word is competitive.
void collect_unboosted(const Matches& matches, std::span<const std::uint32_t> scored, const Kernels& kernels,
                       TopK& top) {
  ListCursor already(scored);
  BatchScores scores(matches, kernels);
  std::array<std::uint32_t, BatchScores::kWordsPerBatch> highest{};
  each_batch(matches.bits.range, [&](std::uint32_t first, std::uint32_t words) {
    compute_score_bounds(matches.clauses, kernels, first, std::span(highest).first(words));
    scores.score(first, words, [&](std::uint32_t word) { return top.is_competitive(highest.at(word)); });
    scores.each_at_least(top.min_competitive_score(), [&](std::uint32_t position, std::uint32_t score) {
      if (!already.find(position)) top.add(score, position);
    });
  });
}

/// Adds a bitmap's matches to the top-k collector.
void collect(const Matches& matches, std::span<const Boost> boosts, const Kernels& kernels, TopK& top) {
  const std::span<const WeightedClause> clauses = matches.clauses;
  if (boosts.empty() && clauses.size() == 1 && is_single_term(clauses.front()) && top.is_of_early_page()) {
    return collect_single_term(matches, kernels, top);
  }
  const std::vector<std::uint32_t> first = likely_best(matches, boosts);
  BoostReader boost(boosts);
  for (const std::uint32_t position : first) {
    top.add(add_score(score_at(clauses, position), boost.at(position)), position);
  }
  top.prune();
  collect_unboosted(matches, first, kernels, top);
}

/// Returns a score that slightly more than `count` matches probably reach, judged by some of the matches. They are a
/// fair sample, because tracks are numbered in a random order. Returns nothing if that would exclude too few matches.
std::optional<std::uint32_t> estimate_score(const Matches& matches, std::span<const Boost> boosts,
                                            const Kernels& kernels, std::uint64_t count) {
  if (count > matches.total / 2) return std::nullopt;
  const BitRange& bits = matches.bits;
  const std::uint32_t step = std::max(1U, (bits.range.last_word() - bits.range.first_word()) / kSampledWords);
  std::vector<std::uint32_t> scores;
  BoostReader boost(boosts);
  BatchScores batch(matches, kernels);
  for (std::uint32_t word = bits.range.first_word(); word < bits.range.last_word(); word += step) {
    batch.score(word, 1, kAllWords);
    batch.each(
        [&](std::uint32_t position, std::uint32_t score) { scores.push_back(add_score(score, boost.at(position))); });
  }
  // An eighth and 48 more than expected: if the sample is small, several standard deviations.
  const std::uint64_t expected = count * scores.size() / matches.total;
  const auto rank = static_cast<std::ptrdiff_t>(expected + expected / 8 + 48);
  if (rank >= std::ssize(scores)) return std::nullopt;
  std::nth_element(scores.begin(), scores.begin() + rank, scores.end(), std::greater<>());
  return scores[static_cast<std::size_t>(rank)];
}

/// Counts the tracks in each score bucket, finds the buckets that the page overlaps, and sorts only those.
std::vector<std::uint32_t> page_by_bucket(const Matches& matches, std::span<const Boost> boosts, const TieOrder& order,
                                          const Kernels& kernels, const PageRange& page) {
  std::vector<std::uint32_t> positions;
  std::vector<std::uint32_t> scores;
  positions.reserve(static_cast<std::size_t>(matches.total));
  scores.reserve(static_cast<std::size_t>(matches.total));
  std::uint32_t highest = 0;
  BoostReader boost(boosts);
  BatchScores batch(matches, kernels);
  each_batch(matches.bits.range, [&](std::uint32_t first, std::uint32_t words) {
    batch.score(first, words, kAllWords);
    batch.each([&](std::uint32_t position, std::uint32_t unboosted) {
      const std::uint32_t score = add_score(unboosted, boost.at(position));
      positions.push_back(position);
      scores.push_back(score);
      highest = std::max(highest, score);
    });
  });
  constexpr int kBucketBits = 12;
  const int shift = std::max(0, static_cast<int>(std::bit_width(highest)) - kBucketBits);
  std::array<std::uint32_t, (1U << kBucketBits)> counts{};
  for (const std::uint32_t score : scores) ++counts[score >> shift];
  // From the best bucket down: the first and the last that the page overlaps.
  std::uint64_t before = 0;
  std::size_t from = counts.size() - 1;
  while (from > 0 && before + counts[from] <= page.offset) before += counts[from--];
  std::uint64_t through = before + counts[from];
  std::size_t to = from;
  while (to > 0 && through < page.offset + page.limit) through += counts[--to];
  std::vector<Scored> scored;
  scored.reserve(static_cast<std::size_t>(through - before));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::size_t at = scores[i] >> shift;
    if (at <= from && at >= to) scored.push_back({scores[i], positions[i]});
  }
  return page_of_scored(std::move(scored), {}, {page.offset - before, page.limit}, order);
}

/// Returns the page of listed matches.
std::vector<std::uint32_t> page_of_list(const Matches& matches, std::span<const Boost> boosts, TieOrder& order,
                                        const PageRange& page) {
  for (const WeightedClause& clause : matches.clauses) {
    for (const WeightedTermSet& terms : clause) {
      for (const WeightedTerm& term : terms) {
        if (!term.posting_list.dense) order.add_list(term.posting_list);
      }
    }
  }
  BoostReader boost(boosts);
  const auto each = [&](const auto& visit) {
    for (std::size_t i = 0; i < matches.positions.size(); ++i) {
      const std::uint32_t position = matches.positions[i];
      visit(boosts.empty() ? matches.scores[i] : add_score(matches.scores[i], boost.at(position)), position);
    }
  };
  const std::uint64_t end = std::min(page.offset + page.limit, matches.total);
  if (end <= kTopMax) {
    TopK top(static_cast<std::size_t>(end), 0);
    each([&](std::uint32_t score, std::uint32_t position) { top.add(score, position); });
    return top.page(page, order);
  }
  std::vector<Scored> scored;
  scored.reserve(matches.positions.size());
  each([&](std::uint32_t score, std::uint32_t position) { scored.push_back({score, position}); });
  return page_of_scored(std::move(scored), {}, page, order);
}

}  // namespace

std::vector<std::uint32_t> page_by_score(Matches& matches, std::span<const Boost> boosts, TieOrder order,
                                         const Kernels& kernels, const PageRange& page) {
  if (page.offset >= matches.total) return {};
  if (matches.listed) return page_of_list(matches, boosts, order, page);
  if (boosts.empty()) {
    if (auto found = page_of_best(matches, page)) return *std::move(found);
  }
  for (WeightedClause& clause : matches.clauses) {
    for (WeightedTermSet& terms : clause) {
      for (WeightedTerm& term : terms) term.posting_list.load();
    }
  }
  const std::uint64_t end = std::min(page.offset + page.limit, matches.total);
  const auto least = end > kTopMax ? estimate_score(matches, boosts, kernels, end) : std::optional<std::uint32_t>(0);
  if (least) {
    TopK top(static_cast<std::size_t>(end), *least);
    collect(matches, boosts, kernels, top);
    if (top.is_complete()) return top.page(page, order);
  }
  return page_by_bucket(matches, boosts, order, kernels, page);
}

}  // namespace tonearm::catalog
