#include "catalog/match.h"

#include <algorithm>

#include "catalog/forecast.h"

namespace tonearm::catalog {
namespace {

using Positions = std::vector<std::uint32_t>;

std::size_t member_number(const Posting& dense, std::uint32_t position) {
  const std::uint32_t word = position / kWordBits;
  const std::uint64_t below = dense.bits[word] & ((std::uint64_t{1} << (position % kWordBits)) - 1);
  return dense.ranks[word] + static_cast<std::size_t>(std::popcount(below));
}

/// The impact of a word in a track by its bitmap; 0: it is not there.
std::uint32_t impact_in(const Posting& dense, std::uint32_t position) {
  return has_bit(dense.bits.data(), position) ? dense.impact_at(member_number(dense, position)) : 0;
}

/// Impacts of one word after the other, of tracks asked for upwards.
class ImpactReader {
 public:
  explicit ImpactReader(const WeighedWord& word) : word_(word), cursor_(word.posting.positions) {}

  /// weight * impact; 0: the word is not there.
  std::uint64_t score(std::uint32_t position) {
    const Posting& posting = word_.posting;
    if (posting.dense) return std::uint64_t{word_.weight} * impact_in(posting, position);
    return cursor_.find(position) ? std::uint64_t{word_.weight} * posting.impact_at(cursor_.at()) : 0;
  }

 private:
  const WeighedWord& word_;
  ListCursor cursor_;
};

/// Members of any of the lists inside the range, upwards, each once. REQUIRES: none is dense.
Positions unite(std::span<const Posting* const> lists, const PositionRange& range) {
  Positions all;
  for (const Posting* list : lists) {
    const auto begin = std::lower_bound(list->positions.begin(), list->positions.end(), range.begin);
    const std::size_t before = all.size();
    for (auto at = begin; at != list->positions.end() && *at < range.end; ++at) {
      if (*at < range.begin || (all.size() > before && *at <= all.back())) damaged("a posting is not sorted");
      all.push_back(*at);
    }
    if (before == 0) continue;
    std::inplace_merge(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(before), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
  return all;
}

/// Whether a posting holds positions, asked for upwards.
class MemberReader {
 public:
  explicit MemberReader(const Posting& posting) : posting_(posting), cursor_(posting.positions) {}
  bool has(std::uint32_t position) {
    return posting_.dense ? has_bit(posting_.bits.data(), position) : cursor_.find(position);
  }

 private:
  const Posting& posting_;
  ListCursor cursor_;
};

void keep(Positions& positions, const AnyOf& condition) {
  std::vector<MemberReader> readers(condition.postings.begin(), condition.postings.end());
  const auto is_out = [&](std::uint32_t position) {
    return std::none_of(readers.begin(), readers.end(), [&](MemberReader& reader) { return reader.has(position); });
  };
  positions.erase(std::remove_if(positions.begin(), positions.end(), is_out), positions.end());
}

/// Keeps the tracks that match the group.
void keep(Positions& positions, const WeighedGroup& group) {
  std::vector<std::vector<MemberReader>> phrases;
  for (const WeighedPhrase& phrase : group) {
    auto& readers = phrases.emplace_back();
    for (const WeighedWord& word : phrase) readers.emplace_back(word.posting);
  }
  const auto is_out = [&](std::uint32_t position) {
    return std::none_of(phrases.begin(), phrases.end(), [&](auto& readers) {
      return std::all_of(readers.begin(), readers.end(), [&](MemberReader& reader) { return reader.has(position); });
    });
  };
  positions.erase(std::remove_if(positions.begin(), positions.end(), is_out), positions.end());
}

/// Keeps the tracks that match the group, and adds what it scores there.
void keep_and_score(Positions& positions, std::vector<std::uint32_t>& scores, const WeighedGroup& group) {
  std::vector<std::vector<ImpactReader>> phrases;
  for (const WeighedPhrase& phrase : group) {
    auto& readers = phrases.emplace_back();
    for (const WeighedWord& word : phrase) readers.emplace_back(word);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::uint32_t best = 0;
    for (auto& readers : phrases) {
      std::uint32_t sum = 0;
      for (ImpactReader& reader : readers) {
        const std::uint64_t score = reader.score(positions[i]);
        if (score == 0) {
          sum = 0;
          break;
        }
        sum = add_score(sum, score);
      }
      best = std::max(best, sum);
    }
    if (best == 0) continue;
    positions[kept] = positions[i];
    scores[kept++] = add_score(scores[i], best);
  }
  positions.resize(kept);
  scores.resize(kept);
}

const Posting& rarest(const WeighedPhrase& phrase) {
  return std::min_element(phrase.begin(), phrase.end(),
                          [](const auto& a, const auto& b) { return a.posting.count < b.posting.count; })
      ->posting;
}

std::uint64_t most(const WeighedGroup& group) {
  std::uint64_t sum = 0;
  for (const WeighedPhrase& phrase : group) sum += rarest(phrase).count;
  return sum;
}

/// What to read all of, where that is little: one group or one condition.
struct Driver {
  std::uint64_t most = ~std::uint64_t{0};
  const WeighedGroup* group = nullptr;
  const AnyOf* condition = nullptr;
};

Driver choose_driver(std::span<const WeighedGroup> groups, const FilterPlan& plan) {
  Driver driver;
  for (const AnyOf& condition : plan.conditions) {
    if (condition.most() < driver.most) driver = {condition.most(), nullptr, &condition};
  }
  for (const WeighedGroup& group : groups) {
    if (most(group) < driver.most) driver = {most(group), &group, nullptr};
  }
  return driver;
}

bool is_single_word(const WeighedGroup& group) { return group.size() == 1 && group.front().size() == 1; }

/// `score_of(word)`: weight * impact; 0: the word is not there, nor a phrase with it.
template <class ScoreOf>
std::uint32_t sum_scores(std::span<const WeighedGroup> groups, const ScoreOf& score_of) {
  std::uint32_t score = 0;
  for (const WeighedGroup& group : groups) {
    std::uint32_t best = 0;
    for (const WeighedPhrase& phrase : group) {
      std::uint32_t sum = 0;
      for (const WeighedWord& word : phrase) {
        const std::uint64_t of_word = score_of(word);
        if (of_word == 0) {
          sum = 0;
          break;
        }
        sum = add_score(sum, of_word);
      }
      best = std::max(best, sum);
    }
    score = add_score(score, best);
  }
  return score;
}

std::uint32_t highest_score(std::span<const WeighedGroup> groups, std::uint32_t word) {
  return sum_scores(groups,
                    [word](const WeighedWord& it) { return std::uint64_t{it.weight} * it.posting.maxima[word]; });
}

}  // namespace

std::uint64_t* Scratch::bitmap(std::size_t words) {
  if (used_ == bitmaps_.size()) bitmaps_.emplace_back();
  auto& bitmap = bitmaps_[used_++];
  if (bitmap.size() < words) bitmap.resize(words);
  return bitmap.data();
}

/// Nothing where no track matches the group: each of its phrases has a word that stands nowhere.
std::optional<WeighedGroup> Matcher::weigh(const WordGroup& group) const {
  WeighedGroup weighed;
  std::vector<std::size_t> synonyms;
  std::uint32_t heaviest = 0;  // of the words that were asked for
  for (const Phrase& phrase : group.phrases) {
    WeighedPhrase words;
    for (const std::string& stem : phrase) {
      const auto posting = parts_.index.word(stem);
      if (!posting) break;
      if (posting->count > parts_.layout.speech_end) damaged("a word stands in more tracks than can be found");
      words.push_back({*posting, word_weight(posting->count, parts_.layout.speech_end)});
    }
    if (words.size() < phrase.size()) continue;
    if (std::find(group.asked.begin(), group.asked.end(), phrase) == group.asked.end()) {
      synonyms.push_back(weighed.size());
    } else {
      for (const WeighedWord& word : words) heaviest = std::max(heaviest, word.weight);
    }
    weighed.push_back(std::move(words));
  }
  if (weighed.empty()) return std::nullopt;
  // Where no track has what was asked for, synonyms count by themselves.
  if (heaviest == 0) heaviest = ~std::uint32_t{0};
  for (const std::size_t synonym : synonyms) {
    const auto count = static_cast<std::uint32_t>(weighed[synonym].size());
    for (WeighedWord& word : weighed[synonym]) word.weight = synonym_weight(word.weight, heaviest, count);
  }
  return weighed;
}

Matches Matcher::match(const SearchQuery& query, std::span<const WordGroup> groups, Scores scores) {
  scratch_.clear();
  Matches matches;
  matches.listed = true;
  for (const WordGroup& group : groups) {
    auto weighed = weigh(group);
    if (!weighed) return matches;
    matches.groups.push_back(*std::move(weighed));
  }
  const FilterPlan plan = plan_filters(query, parts_.layout, parts_.index);
  if (!fill_list(matches, query, plan, scores)) fill_bits(matches, query, plan);
  return matches;
}

/// False, and nothing done: there are too many to list.
bool Matcher::fill_list(Matches& matches, const SearchQuery& query, const FilterPlan& plan, Scores scores) {
  const Driver driver = choose_driver(matches.groups, plan);
  // Not more than the least that a bitmap holds: so none of the driver's postings is one.
  if (driver.most > parts_.layout.size / 32) return false;
  std::vector<const Posting*> lists;
  if (driver.condition != nullptr) {
    for (const Posting& posting : driver.condition->postings) lists.push_back(&posting);
  } else {
    for (const WeighedPhrase& phrase : *driver.group) lists.push_back(&rarest(phrase));
  }
  matches.positions = unite(lists, plan.range);
  for (const AnyOf& condition : plan.conditions) {
    if (&condition != driver.condition) keep(matches.positions, condition);
  }
  if (!query.filters.bpm_hundredths.empty() || !query.filters.duration_ms.empty()) {
    Filters ranges;
    ranges.bpm_hundredths = query.filters.bpm_hundredths;
    ranges.duration_ms = query.filters.duration_ms;
    expect_filters(ranges, parts_.columns, matches.positions);
    const auto is_out = [&](std::uint32_t position) { return !in_ranges(query.filters, parts_.columns, position); };
    matches.positions.erase(std::remove_if(matches.positions.begin(), matches.positions.end(), is_out),
                            matches.positions.end());
  }
  if (scores == Scores::none) {
    for (const WeighedGroup& group : matches.groups) keep(matches.positions, group);
  } else if (!matches.groups.empty()) {
    matches.scores.resize(matches.positions.size());
    for (WeighedGroup& group : matches.groups) {
      for (WeighedPhrase& phrase : group) {
        for (WeighedWord& word : phrase) {
          if (!word.posting.dense) word.posting.draw_near();
        }
      }
      keep_and_score(matches.positions, matches.scores, group);
    }
  }
  matches.total = matches.positions.size();
  return true;
}

std::uint64_t* Matcher::empty_bitmap() {
  const std::uint32_t words = words_for(parts_.layout.size);
  std::uint64_t* bits = scratch_.bitmap(words);
  std::fill_n(bits, words, 0);
  return bits;
}

const std::uint64_t* Matcher::bits_of(const AnyOf& condition) {
  if (condition.postings.size() == 1 && condition.postings.front().dense) return condition.postings.front().bits.data();
  std::uint64_t* bits = empty_bitmap();
  for (const Posting& posting : condition.postings) {
    if (posting.dense) parts_.kernels.unite(bits, posting.bits.data(), posting.bits.size());
    for (const std::uint32_t position : posting.positions) {
      if (position >= parts_.layout.size) damaged("a posting names a track that there is not");
      set_bit(bits, position);
    }
  }
  return bits;
}

/// REQUIRES: all of its words are dense.
const std::uint64_t* Matcher::bits_of(const WeighedGroup& group) {
  if (is_single_word(group)) return group.front().front().posting.bits.data();
  std::uint64_t* bits = empty_bitmap();
  const std::size_t words = words_for(parts_.layout.speech_end);
  for (const WeighedPhrase& phrase : group) {
    if (phrase.size() == 1) {
      parts_.kernels.unite(bits, phrase.front().posting.bits.data(), words);
      continue;
    }
    std::vector<const std::uint64_t*> operands;
    for (const WeighedWord& word : phrase) operands.push_back(word.posting.bits.data());
    std::uint64_t* both = scratch_.bitmap(words);
    parts_.kernels.intersect(both, operands.data(), operands.size(), words);
    parts_.kernels.unite(bits, both, words);
  }
  return bits;
}

/// The fewer tracks, inside the range of tempo or outside, are written.
const std::uint64_t* Matcher::bits_of_tempo(const SearchQuery& query, const PositionRange& range) {
  const TempoOrder& tempos = parts_.tempos;
  tempos.expect(query.kind, query.filters.bpm_hundredths);
  const TempoOrder::Slice slice = tempos.slice(query.kind, query.filters.bpm_hundredths);
  const auto& [all, inside] = slice;
  std::uint64_t* bits = empty_bitmap();
  if (!slice.is_mostly_inside()) {
    tempos.each(inside, [&](std::uint32_t position) { set_bit(bits, position); });
    return bits;
  }
  for (std::uint32_t i = range.first_word(); i < range.last_word(); ++i) bits[i] = range.mask(i);
  const auto clear = [&](std::uint32_t position) {
    bits[position / kWordBits] &= ~(std::uint64_t{1} << (position % kWordBits));
  };
  tempos.each({all.begin, inside.begin}, clear);
  tempos.each({inside.end, all.end}, clear);
  return bits;
}

/// The group of tracks that a range is; nothing where it is more than one.
std::optional<std::size_t> Matcher::group_of(const PositionRange& range) const {
  if (range.begin == 0 && range.end == parts_.layout.music_end) return 0;
  if (range.begin == parts_.layout.music_end && range.end == parts_.layout.effects_end) return 1;
  return std::nullopt;
}

void Matcher::fill_bits(Matches& matches, const SearchQuery& query, const FilterPlan& plan) {
  matches.listed = false;
  matches.track_group = group_of(plan.range);
  if (matches.track_group && matches.groups.size() == 1 && is_single_word(matches.groups.front())) {
    matches.best = matches.groups.front().front().front().posting.best.at(*matches.track_group);
  }
  for (WeighedGroup& group : matches.groups) {
    for (WeighedPhrase& phrase : group) {
      for (WeighedWord& word : phrase) {
        if (word.posting.dense) continue;
        word.posting = matches.copies.emplace_back(word.posting, parts_.layout.size).posting();
      }
    }
  }
  std::vector<const std::uint64_t*> operands;
  for (const AnyOf& condition : plan.conditions) operands.push_back(bits_of(condition));
  for (const WeighedGroup& group : matches.groups) operands.push_back(bits_of(group));
  if (!query.filters.bpm_hundredths.empty()) operands.push_back(bits_of_tempo(query, plan.range));

  const PositionRange& range = plan.range;
  const std::uint32_t first = range.first_word();
  const std::uint32_t words = range.last_word() - first;
  if (operands.size() == 1) {
    matches.bits = {operands.front(), range};
  } else {
    std::uint64_t* bits = scratch_.bitmap(words_for(parts_.layout.size));
    if (operands.empty()) {
      std::fill_n(bits + first, words, ~std::uint64_t{0});
    } else {
      for (const std::uint64_t*& operand : operands) operand += first;
      parts_.kernels.intersect(bits + first, operands.data(), operands.size(), words);
    }
    matches.bits = {bits, range};
  }
  if (!query.filters.duration_ms.empty()) {
    std::uint64_t* bits = empty_bitmap();
    parts_.columns.duration_ms.expect();
    matches.bits.each(0, [&](std::uint32_t position) {
      if (is_within(query.filters.duration_ms, parts_.columns.duration_ms[position])) set_bit(bits, position);
      return true;
    });
    matches.bits = {bits, range};
  }
  if (words == 0) return;
  // All words but those at the ends of the range count whole.
  matches.total = parts_.kernels.count(matches.bits.words + first, words);
  const auto surplus = [&](std::uint32_t word) {
    return static_cast<std::uint64_t>(std::popcount(matches.bits.words[word] & ~range.mask(word)));
  };
  matches.total -= surplus(first);
  if (words > 1) matches.total -= surplus(range.last_word() - 1);
}

std::uint32_t score_at(std::span<const WeighedGroup> groups, std::uint32_t position) {
  return sum_scores(groups, [position](const WeighedWord& word) {
    return std::uint64_t{word.weight} * impact_in(word.posting, position);
  });
}

void find_highest_scores(std::span<const WeighedGroup> groups, const Kernels& kernels, std::uint32_t first,
                         std::span<std::uint32_t> highest) {
  std::uint64_t most = 0;
  bool are_words = true;
  for (const WeighedGroup& group : groups) {
    are_words = are_words && is_single_word(group);
    most += group.front().front().most();
  }
  if (!are_words || most > ~std::uint32_t{0}) {
    for (std::size_t i = 0; i < highest.size(); ++i) {
      highest[i] = highest_score(groups, first + static_cast<std::uint32_t>(i));
    }
    return;
  }
  // Plain sums, of many words at once.
  std::fill(highest.begin(), highest.end(), 0);
  for (const WeighedGroup& group : groups) {
    const WeighedWord& word = group.front().front();
    const std::span<const std::uint8_t> maxima = word.posting.maxima.all().subspan(first, highest.size());
    kernels.add_weighed(highest.data(), maxima.data(), word.weight, highest.size());
  }
}

}  // namespace tonearm::catalog
