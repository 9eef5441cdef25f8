#include "catalog/ranking.h"

#include <algorithm>
#include <optional>

#include "catalog/shuffle.h"

namespace tonearm::catalog {
namespace {

/// Pages that end before this keep the best so far; later ones sort all matches into classes of scores.
constexpr std::uint64_t kBestMax = 500;

template <class Visit>
void each_match(const Matches& matches, const Visit& visit) {
  if (!matches.listed) {
    matches.bits.each(0, [&](std::uint32_t position) {
      visit(position);
      return true;
    });
    return;
  }
  for (const std::uint32_t position : matches.positions) visit(position);
}

bool has(const Matches& matches, std::uint32_t position) { return matches.bits.has(position); }

/// Keeps the best of all that it is given: what may come onto a page that ends at `count`. With ranks at hand, ties go
/// by id at once.
class NearBest {
 public:
  NearBest(std::size_t count, const IdOrder& ids) : count_(count), ids_(ids) { kept_.reserve(2 * count + kWordBits); }

  /// No track of a lower score can come onto the page.
  std::uint32_t least_score() const { return static_cast<std::uint32_t>(threshold_ >> 32U); }
  /// Whether any track of this score may.
  bool may_take(std::uint32_t score) const { return rank_key(score, 0) > threshold_; }
  bool may_take(std::uint32_t score, std::uint32_t position) const {
    return rank_key(score, ids_.rank(position)) > threshold_;
  }
  void add(std::uint32_t score, std::uint32_t position) {
    const std::uint64_t key = rank_key(score, ids_.rank(position));
    if (key <= threshold_) return;
    kept_.push_back({key, position});
    if (kept_.size() >= 2 * count_ + kWordBits) settle();
  }
  /// Drops what cannot come onto the page: the threshold is as high as it can be.
  void settle() {
    if (kept_.size() < count_) return;
    const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(count_);
    std::nth_element(kept_.begin(), end - 1, kept_.end(), [](auto& a, auto& b) { return a.key > b.key; });
    kept_.erase(end, kept_.end());
    threshold_ = kept_.back().key;
  }
  std::vector<std::uint32_t> page(const PageRange& page) { return page_by_key(kept_, page); }

 private:
  std::size_t count_;
  const IdOrder& ids_;
  std::uint64_t threshold_ = 0;
  std::vector<Keyed> kept_;
};

/// The same where ranks are far: keeps all tracks of the least score that may come onto the page.
class FarBest {
 public:
  FarBest(std::size_t count, const IdOrder& ids) : count_(count), ids_(ids) {}

  std::uint32_t least_score() const { return least_; }
  bool may_take(std::uint32_t score) const { return score >= least_; }
  bool may_take(std::uint32_t score, std::uint32_t /*position*/) const { return may_take(score); }
  void add(std::uint32_t score, std::uint32_t position) {
    if (score < least_) return;
    if (score == least_) {
      tied_.push_back(position);
    } else {
      above_.push_back({score, position});
      if (above_.size() >= 2 * count_) settle();
    }
  }
  void settle() {
    if (above_.size() < count_) return;
    const auto last = above_.begin() + static_cast<std::ptrdiff_t>(count_) - 1;
    std::nth_element(above_.begin(), last, above_.end(), [](auto& a, auto& b) { return a.score > b.score; });
    least_ = last->score;
    tied_.clear();
    for (const Scored& it : above_) {
      if (it.score == least_) tied_.push_back(it.position);
    }
    std::erase_if(above_, [&](const Scored& it) { return it.score <= least_; });
  }
  std::vector<std::uint32_t> page(const PageRange& page) {
    std::sort(tied_.begin(), tied_.end());
    return page_of_ties(std::move(above_), tied_, page, ids_);
  }

 private:
  std::size_t count_;
  const IdOrder& ids_;
  std::uint32_t least_ = 0;
  std::vector<Scored> above_;
  std::vector<std::uint32_t> tied_;
};

/// Walks the kept best tracks of a single word; nothing where the page is not full when they end, and it should be.
std::optional<std::vector<std::uint32_t>> page_of_best(const Matches& matches, const PageRange& page) {
  const std::uint64_t wanted = std::min(page.limit, matches.total - page.offset);
  std::vector<std::uint32_t> positions;
  std::uint64_t skip = page.offset;
  if (matches.best.size() < page.offset + wanted) return std::nullopt;
  for (const std::uint32_t position : matches.best) {
    if (!matches.bits.has(position)) continue;
    if (skip > 0) {
      --skip;
      continue;
    }
    positions.push_back(position);
    if (positions.size() == wanted) return positions;
  }
  return std::nullopt;
}

/// Upwards, each once: the matches that any of the bonuses holds, and some of the best of each word. They are scored
/// first, so that little of the rest has to be. Without the best, which lie apart, it comes to the same.
std::vector<std::uint32_t> promising(const Matches& matches, std::span<const Bonus> bonuses, bool with_best) {
  // As many as fill the first page many times over, and take less time than the words of a bitmap.
  constexpr std::size_t kOfEachWord = 256;
  const BitRange& bits = matches.bits;
  std::vector<std::uint32_t> found;
  const auto add = [&](const auto& positions) {
    for (const std::uint32_t position : positions) {
      if (bits.has(position)) found.push_back(position);
    }
  };
  for (const Bonus& bonus : bonuses) {
    add(bonus.posting.positions);
    if (!bonus.posting.dense) continue;
    for (std::uint32_t word = bits.range.first_word(); word < bits.range.last_word(); ++word) {
      for (std::uint64_t left = bits.word(word) & bonus.posting.bits[word]; left != 0; left &= left - 1) {
        found.push_back(word * kWordBits + static_cast<std::uint32_t>(std::countr_zero(left)));
      }
    }
  }
  if (with_best && matches.track_group) {
    for (const WeighedGroup& group : matches.groups) {
      for (const WeighedPhrase& phrase : group) {
        if (phrase.size() > 1) continue;
        const auto& best = phrase.front().posting.best[*matches.track_group];
        add(best.first(std::min(best.size(), kOfEachWord)));
      }
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// One word alone: the least impact that still counts is looked for in the maxima.
template <class Best>
void add_of_word(const Matches& matches, const Kernels& kernels, Best& best) {
  const WeighedWord& only = matches.groups.front().front().front();
  const BitRange& bits = matches.bits;
  const std::span<const std::uint8_t> maxima = only.posting.maxima.all();
  const std::uint32_t last = bits.range.last_word();
  std::size_t word = bits.range.first_word();
  while (word < last) {
    const std::uint64_t least = (std::uint64_t{best.least_score()} + only.weight - 1) / only.weight;
    if (least > 255) break;
    word =
        kernels.next_at_least(maxima.data(), word, last, static_cast<std::uint8_t>(std::max<std::uint64_t>(least, 1)));
    if (word == last) break;
    const auto number = static_cast<std::uint32_t>(word++);
    for (std::uint64_t left = bits.word(number); left != 0; left &= left - 1) {
      const auto position = number * kWordBits + static_cast<std::uint32_t>(std::countr_zero(left));
      best.add(score_at(matches.groups, position), position);
    }
  }
}

/// The page of a bitmap's matches. Scores those alone that may still come onto it.
template <class Best>
std::vector<std::uint32_t> best_of_bits(const Matches& matches, std::span<const Bonus> bonuses, const IdOrder& ids,
                                        const Kernels& kernels, const PageRange& page) {
  Best best(static_cast<std::size_t>(page.offset + page.limit), ids);
  const BitRange& bits = matches.bits;
  const std::span<const WeighedGroup> groups = matches.groups;
  if (bonuses.empty() && groups.size() == 1 && groups.front().size() == 1 && groups.front().front().size() == 1) {
    add_of_word(matches, kernels, best);
    return best.page(page);
  }
  const std::vector<std::uint32_t> first = promising(matches, bonuses, ids.is_near());
  BonusReader bonus(bonuses);
  for (const std::uint32_t position : first) {
    best.add(add_score(score_at(groups, position), bonus.at(position)), position);
  }
  best.settle();
  // The others have no bonus.
  std::array<std::uint32_t, 256> highest{};
  for (std::uint32_t from = bits.range.first_word(); from < bits.range.last_word(); from += highest.size()) {
    const std::size_t words = std::min<std::size_t>(highest.size(), bits.range.last_word() - from);
    find_highest_scores(groups, kernels, from, std::span(highest).first(words));
    for (std::size_t i = 0; i < words; ++i) {
      const std::uint32_t word = from + static_cast<std::uint32_t>(i);
      if (!best.may_take(highest.at(i))) continue;
      for (std::uint64_t left = bits.word(word); left != 0; left &= left - 1) {
        const auto position = word * kWordBits + static_cast<std::uint32_t>(std::countr_zero(left));
        const std::uint32_t score = score_at(groups, position);
        if (best.may_take(score, position) && !std::binary_search(first.begin(), first.end(), position)) {
          best.add(score, position);
        }
      }
    }
  }
  return best.page(page);
}

/// Counts how many tracks have scores of each class, finds the classes that the page lies in, and sorts those alone.
std::vector<std::uint32_t> page_by_class(const Matches& matches, std::span<const Bonus> bonuses, const IdOrder& ids,
                                         const PageRange& page) {
  std::vector<std::uint32_t> positions;
  std::vector<std::uint32_t> scores;
  positions.reserve(static_cast<std::size_t>(matches.total));
  scores.reserve(static_cast<std::size_t>(matches.total));
  std::uint32_t highest = 0;
  BonusReader bonus(bonuses);
  each_match(matches, [&](std::uint32_t position) {
    const std::uint32_t score = add_score(score_at(matches.groups, position), bonus.at(position));
    positions.push_back(position);
    scores.push_back(score);
    highest = std::max(highest, score);
  });
  constexpr int kClassBits = 12;
  const int shift = std::max(0, static_cast<int>(std::bit_width(highest)) - kClassBits);
  std::array<std::uint32_t, (1U << kClassBits)> counts{};
  for (const std::uint32_t score : scores) ++counts[score >> shift];
  // From the best class down: the first that the page touches, and the last.
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
  return page_of_scored(std::move(scored), {page.offset - before, page.limit}, ids);
}

/// The page of listed matches.
std::vector<std::uint32_t> page_of_list(const Matches& matches, std::span<const Bonus> bonuses, IdOrder& ids,
                                        const PageRange& page) {
  std::vector<Scored> scored;
  scored.reserve(matches.positions.size());
  BonusReader bonus(bonuses);
  for (std::size_t i = 0; i < matches.positions.size(); ++i) {
    const std::uint32_t position = matches.positions[i];
    scored.push_back({add_score(matches.scores[i], bonus.at(position)), position});
  }
  for (const WeighedGroup& group : matches.groups) {
    for (const WeighedPhrase& phrase : group) {
      for (const WeighedWord& word : phrase) {
        if (!word.posting.dense) ids.add_list(word.posting);
      }
    }
  }
  return page_of_scored(std::move(scored), page, ids);
}

/// Walks an order of positions and takes what matches: cheap where much does. `at(i)` gives the i-th position.
template <class At>
std::vector<std::uint32_t> page_by_walk(const Matches& matches, std::uint64_t begin, std::uint64_t end, const At& at,
                                        PageRange page) {
  std::vector<std::uint32_t> positions;
  for (std::uint64_t i = begin; i < end && positions.size() < page.limit; ++i) {
    const std::uint32_t position = at(i);
    if (!has(matches, position)) continue;
    if (page.offset > 0) {
      --page.offset;
    } else {
      positions.push_back(position);
    }
  }
  return positions;
}

/// A walk over `steps` visits about steps / total tracks for each that it takes; selecting visits each match a few
/// times.
bool walk_is_shorter(const Matches& matches, std::uint64_t steps, const PageRange& page) {
  if (matches.listed || matches.total == 0) return false;
  const std::uint64_t end = std::min(matches.total, page.offset + page.limit);
  return end * steps / matches.total < 4 * matches.total;
}

/// The page by `place(position)`, the least first.
template <class Place>
std::vector<std::uint32_t> page_by_place(const Matches& matches, const Place& place, const PageRange& page) {
  std::vector<Keyed> keyed;
  keyed.reserve(static_cast<std::size_t>(matches.total));
  each_match(matches, [&](std::uint32_t position) { keyed.push_back({~std::uint64_t{place(position)}, position}); });
  return page_by_key(keyed, page);
}

}  // namespace

std::vector<std::uint32_t> page_by_score(Matches& matches, std::span<const Bonus> bonuses, IdOrder ids,
                                         const Kernels& kernels, const PageRange& page) {
  if (page.offset >= matches.total) return {};
  if (matches.listed) return page_of_list(matches, bonuses, ids, page);
  if (bonuses.empty()) {
    if (auto found = page_of_best(matches, page)) return *std::move(found);
  }
  for (WeighedGroup& group : matches.groups) {
    for (WeighedPhrase& phrase : group) {
      for (WeighedWord& word : phrase) word.posting.draw_near();
    }
  }
  if (page.offset + page.limit > kBestMax) return page_by_class(matches, bonuses, ids, page);
  return ids.is_near() ? best_of_bits<NearBest>(matches, bonuses, ids, kernels, page)
                       : best_of_bits<FarBest>(matches, bonuses, ids, kernels, page);
}

std::vector<std::uint32_t> page_by_order(const Matches& matches, const Order& order, const Between& places,
                                         const PageRange& page) {
  if (page.offset >= matches.total) return {};
  const std::uint64_t steps = places.end - places.begin;
  if (walk_is_shorter(matches, steps, page)) {
    // Twice as far as it takes where matches are spread evenly.
    const std::uint64_t likely = 2 * (page.offset + page.limit) * steps / matches.total + kWordBits;
    order.positions.part(places.begin, static_cast<std::size_t>(std::min(likely, steps))).expect();
    return page_by_walk(
        matches, places.begin, places.end,
        [&](std::uint64_t i) { return order.positions[static_cast<std::size_t>(i)]; }, page);
  }
  if (matches.listed) {
    order.ranks.expect(matches.positions);
  } else {
    order.ranks.expect();
  }
  return page_by_place(
      matches, [&](std::uint32_t position) { return order.ranks[position]; }, page);
}

std::vector<std::uint32_t> page_shuffled(const Matches& matches, std::string_view seed, std::uint32_t size,
                                         const PageRange& page) {
  if (page.offset >= matches.total || page.limit == 0) return {};
  if (!seed.empty()) {
    const SeededShuffle shuffle(seed, size);
    const auto at = [&](std::uint64_t place) { return static_cast<std::uint32_t>(shuffle.position_at(place)); };
    if (walk_is_shorter(matches, shuffle.place_count(), page)) {
      return page_by_walk(matches, 0, shuffle.place_count(), at, page);
    }
    return page_by_place(
        matches, [&](std::uint32_t position) { return shuffle.place_of(position); }, page);
  }
  std::vector<std::uint32_t> positions;
  if (matches.listed) {
    const auto first = matches.positions.begin() + static_cast<std::ptrdiff_t>(page.offset);
    const auto count = std::min<std::uint64_t>(page.limit, matches.total - page.offset);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }
  matches.bits.each(page.offset, [&](std::uint32_t position) {
    positions.push_back(position);
    return positions.size() < page.limit;
  });
  return positions;
}

}  // namespace tonearm::catalog
