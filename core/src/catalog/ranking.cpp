#include "catalog/ranking.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "catalog/shuffle.h"

namespace tonearm::catalog {
namespace {

/// Pages that end before this keep the best so far; later ones sort all matches into classes of scores.
constexpr std::uint64_t kBestMax = 500;

/// Score and id in one number: the greater comes first.
std::uint64_t rank_key(std::uint32_t score, std::uint32_t id_rank) { return std::uint64_t{score} << 32U | ~id_rank; }

struct Keyed {
  std::uint64_t key = 0;
  std::uint32_t position = 0;
};

bool comes_first(const Keyed& a, const Keyed& b) { return a.key > b.key; }

/// The page of what comes with unique keys, the greatest first: only the page itself gets sorted.
std::vector<std::uint32_t> page_by_key(std::vector<Keyed>& keyed, const PageRange& page) {
  if (page.offset >= keyed.size()) return {};
  const std::uint64_t end = std::min<std::uint64_t>(keyed.size(), page.offset + page.limit);
  const auto first = keyed.begin() + static_cast<std::ptrdiff_t>(page.offset);
  const auto last = keyed.begin() + static_cast<std::ptrdiff_t>(end);
  std::nth_element(keyed.begin(), first, keyed.end(), comes_first);
  std::partial_sort(first, last, keyed.end(), comes_first);
  std::vector<std::uint32_t> positions;
  positions.reserve(static_cast<std::size_t>(last - first));
  for (auto at = first; at != last; ++at) positions.push_back(at->position);
  return positions;
}

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

/// Keeps the greatest keys of all that it is given.
class Best {
 public:
  explicit Best(std::size_t count) : count_(count) { kept_.reserve(2 * count + kWordBits); }

  /// What does not exceed it cannot come onto the page.
  std::uint64_t threshold() const { return threshold_; }
  void add(std::uint64_t key, std::uint32_t position) {
    if (key <= threshold_) return;
    kept_.push_back({key, position});
    if (kept_.size() >= 2 * count_ + kWordBits) settle();
  }
  /// Drops what cannot come onto the page: the threshold is as high as it can be.
  void settle() {
    if (kept_.size() < count_) return;
    const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(count_);
    std::nth_element(kept_.begin(), end - 1, kept_.end(), comes_first);
    kept_.erase(end, kept_.end());
    threshold_ = kept_.back().key;
  }
  std::vector<Keyed>& kept() { return kept_; }

 private:
  std::size_t count_;
  std::uint64_t threshold_ = 0;
  std::vector<Keyed> kept_;
};

std::uint32_t id_rank_of(const Columns& columns, std::uint32_t position) { return columns.id_rank[position]; }

/// Walks the kept best tracks of a single word; nothing where the page is not full when they end, and it should be.
std::optional<std::vector<std::uint32_t>> page_of_best(const Matches& matches, const PageRange& page) {
  const std::uint64_t wanted = std::min(page.limit, matches.total - page.offset);
  std::vector<std::uint32_t> positions;
  std::uint64_t skip = page.offset;
  if (matches.best.empty()) return std::nullopt;
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
/// first, so that little of the rest has to be.
std::vector<std::uint32_t> promising(const Matches& matches, std::span<const Bonus> bonuses) {
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
  if (matches.track_group) {
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
void add_of_word(const Matches& matches, const Columns& columns, const Kernels& kernels, Best& best) {
  const WeighedWord& only = matches.groups.front().front().front();
  const BitRange& bits = matches.bits;
  const std::span<const std::uint8_t> maxima = only.posting.maxima.all();
  const std::uint32_t last = bits.range.last_word();
  std::size_t word = bits.range.first_word();
  while (word < last) {
    const std::uint64_t least = std::max<std::uint64_t>(((best.threshold() >> 32U) + only.weight - 1) / only.weight, 1);
    if (least > 255) break;
    word = kernels.next_at_least(maxima.data(), word, last, static_cast<std::uint8_t>(least));
    if (word == last) break;
    const auto number = static_cast<std::uint32_t>(word++);
    for (std::uint64_t left = bits.word(number); left != 0; left &= left - 1) {
      const auto position = number * kWordBits + static_cast<std::uint32_t>(std::countr_zero(left));
      best.add(rank_key(score_at(matches.groups, position), id_rank_of(columns, position)), position);
    }
  }
}

/// The page of a bitmap's matches. Scores those alone that may still come onto it.
std::vector<std::uint32_t> best_of_bits(const Matches& matches, std::span<const Bonus> bonuses, const Columns& columns,
                                        const Kernels& kernels, const PageRange& page) {
  Best best(static_cast<std::size_t>(page.offset + page.limit));
  const BitRange& bits = matches.bits;
  const std::span<const WeighedGroup> groups = matches.groups;
  if (bonuses.empty() && groups.size() == 1 && groups.front().size() == 1 && groups.front().front().size() == 1) {
    add_of_word(matches, columns, kernels, best);
    return page_by_key(best.kept(), page);
  }
  const auto key_of = [&](std::uint32_t score, std::uint32_t position) {
    return rank_key(score, id_rank_of(columns, position));
  };
  const std::vector<std::uint32_t> first = promising(matches, bonuses);
  BonusReader bonus(bonuses);
  for (const std::uint32_t position : first) {
    best.add(key_of(add_score(score_at(groups, position), bonus.at(position)), position), position);
  }
  best.settle();
  // The others have no bonus.
  for (std::uint32_t word = bits.range.first_word(); word < bits.range.last_word(); ++word) {
    if (bits.word(word) == 0 || rank_key(highest_score(groups, word), 0) <= best.threshold()) continue;
    for (std::uint64_t left = bits.word(word); left != 0; left &= left - 1) {
      const auto position = word * kWordBits + static_cast<std::uint32_t>(std::countr_zero(left));
      const std::uint64_t key = key_of(score_at(groups, position), position);
      if (key > best.threshold() && !std::binary_search(first.begin(), first.end(), position)) best.add(key, position);
    }
  }
  return page_by_key(best.kept(), page);
}

/// Counts how many tracks have scores of each class, finds the classes that the page lies in, and sorts those alone.
std::vector<std::uint32_t> page_by_class(const Matches& matches, std::span<const Bonus> bonuses, const Columns& columns,
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
  std::vector<Keyed> keyed;
  keyed.reserve(static_cast<std::size_t>(through - before));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::size_t at = scores[i] >> shift;
    if (at > from || at < to) continue;
    keyed.push_back({rank_key(scores[i], id_rank_of(columns, positions[i])), positions[i]});
  }
  return page_by_key(keyed, {page.offset - before, page.limit});
}

/// Places of ids. Those of tracks that a list has stand beside it, which is near where the column is far.
class IdRanks {
 public:
  IdRanks(const Matches& matches, const Columns& columns) : column_(columns.id_rank) {
    if (column_.is_in_memory()) return;
    for (const WeighedGroup& group : matches.groups) {
      for (const WeighedPhrase& phrase : group) {
        for (const WeighedWord& word : phrase) {
          if (!word.posting.dense) lists_.push_back({&word.posting, ListCursor(word.posting.positions)});
        }
      }
    }
  }

  void expect(std::span<const std::uint32_t> positions) const {
    if (lists_.empty()) column_.expect(positions);
  }
  /// Asked for upwards.
  std::uint32_t at(std::uint32_t position) {
    for (auto& [posting, cursor] : lists_) {
      if (cursor.find(position)) return posting->id_ranks[cursor.at()];
    }
    return column_[position];
  }

 private:
  struct List {
    const Posting* posting;
    ListCursor cursor;
  };
  const Array<std::uint32_t>& column_;
  std::vector<List> lists_;
};

/// The page of listed matches: ids order those alone that the page lies among.
std::vector<std::uint32_t> page_of_list(const Matches& matches, std::span<const Bonus> bonuses, const Columns& columns,
                                        const PageRange& page) {
  std::vector<std::uint32_t> scores = matches.scores;
  BonusReader bonus(bonuses);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = add_score(scores[i], bonus.at(matches.positions[i]));
  const std::uint64_t end = std::min<std::uint64_t>(scores.size(), page.offset + page.limit);
  if (end <= page.offset) return {};
  std::vector<std::uint32_t> ordered = scores;
  const auto first = ordered.begin() + static_cast<std::ptrdiff_t>(page.offset);
  const auto last = ordered.begin() + static_cast<std::ptrdiff_t>(end) - 1;
  std::nth_element(ordered.begin(), first, ordered.end(), std::greater<>());
  const std::uint32_t highest = *first;
  std::nth_element(first, last, ordered.end(), std::greater<>());
  const std::uint32_t lowest = *last;
  std::uint64_t before = 0;
  std::vector<std::size_t> among;
  std::vector<std::uint32_t> positions;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] > highest) ++before;
    if (scores[i] > highest || scores[i] < lowest) continue;
    among.push_back(i);
    positions.push_back(matches.positions[i]);
  }
  IdRanks ids(matches, columns);
  ids.expect(positions);
  std::vector<Keyed> keyed;
  keyed.reserve(among.size());
  for (const std::size_t i : among) {
    keyed.push_back({rank_key(scores[i], ids.at(matches.positions[i])), matches.positions[i]});
  }
  return page_by_key(keyed, {page.offset - before, page.limit});
}

const Order& stored_order(Sort sort, const Columns& columns) {
  const auto found = std::find(kStoredSorts.begin(), kStoredSorts.end(), sort);
  return columns.orders.at(static_cast<std::size_t>(found - kStoredSorts.begin()));
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

std::vector<std::uint32_t> page_by_score(const Matches& matches, std::span<const Bonus> bonuses, const Columns& columns,
                                         const Kernels& kernels, const PageRange& page) {
  if (page.offset >= matches.total) return {};
  if (!matches.listed) {
    if (bonuses.empty()) {
      if (auto found = page_of_best(matches, page)) return *std::move(found);
    }
    columns.id_rank.expect();
    const bool is_deep = page.offset + page.limit > kBestMax;
    return is_deep ? page_by_class(matches, bonuses, columns, page)
                   : best_of_bits(matches, bonuses, columns, kernels, page);
  }
  return page_of_list(matches, bonuses, columns, page);
}

std::vector<std::uint32_t> page_by_order(const Matches& matches, Sort sort, const Columns& columns,
                                         const PositionRange& range, const PageRange& page) {
  if (page.offset >= matches.total) return {};
  const Order& order = stored_order(sort, columns);
  // Effects and speech stand in one order, behind music.
  const std::uint64_t steps = range.begin == 0 ? range.end : order.positions.size() - range.begin;
  if (walk_is_shorter(matches, steps, page)) {
    // Twice as far as it takes where matches are spread evenly.
    const std::uint64_t likely = 2 * (page.offset + page.limit) * steps / matches.total + kWordBits;
    order.positions.part(range.begin, static_cast<std::size_t>(std::min(likely, steps))).expect();
    return page_by_walk(
        matches, range.begin, range.begin + steps,
        [&](std::uint64_t i) { return order.positions[static_cast<std::size_t>(i)]; }, page);
  }
  if (matches.listed) order.ranks.expect(matches.positions);
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
