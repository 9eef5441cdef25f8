#include "catalog/lookup/mix_lookup.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <iterator>
#include <tuple>

#include "catalog/lookup/sound_lookup.h"

namespace tonearm::catalog {
namespace {

using Piece = std::vector<std::uint32_t>;

/// Ranges with more entries are uninformative: silence, a held note.
constexpr std::size_t kEntriesOfRangeMax = 1'024;
/// Of a value and of those near it; on average at most 5,056.
constexpr std::size_t kEntriesOfValueMax = 6'000;
/// With few entries, values are looked up with up to two wrong bits among the compared ones, otherwise with one.
constexpr unsigned kBitsOfTwoErrors = 12;
constexpr std::size_t kVotesOfPieceMax = 2'000'000;
/// Of the 32 bits of an entry. Under speech that is louder than the music about nine differ.
constexpr int kErrorsOfVoteMax = 9;
constexpr std::uint32_t kMixVotesMin = 4;
constexpr std::size_t kCandidatesMax = 192;
/// A track is heard at most so many times in a piece.
constexpr std::ptrdiff_t kUsesOfTrackMax = 16;
/// Added to offsets, in values over all tracks, so that none is negative.
constexpr std::int64_t kMixBias = 4'096;

constexpr std::int64_t kBitsOfValue = 32;
/// Measured over music under speech (tests/bench/films): right offsets differ in about 27 %, others in half the bits.
constexpr std::int64_t kToleratedPercent = 38;
/// A part ends where its gain has fallen by this much, which takes about five seconds of other sound.
constexpr std::int64_t kDropMax = 7'500;
/// A part is compared again at these speeds, in thousandths faster or slower.
constexpr std::array<std::int64_t, 10> kSpeeds{-90, -75, -60, -45, -30, 30, 45, 60, 75, 90};
/// Speeds that move the ends of a part by less, in thousandths of a value, cannot be distinguished.
constexpr std::int64_t kShiftMin = 1'000;
/// A part is of another speed if it then has this many percent of its gain.
constexpr std::int64_t kSpeedGainPercent = 102;
/// How far beyond a part it is compared at other speeds, in values.
constexpr std::int64_t kSpeedReach = 80;
/// A part with this share of the best gain fits equally well.
constexpr std::int64_t kEqualPercent = 92;

/// About eight seconds of stored values.
constexpr std::size_t kSteadyWords = 32;

/// Votes count together within this many values of the piece, about ten seconds.
constexpr std::uint32_t kVoteWindow = 80;

/// A vote of the value `at` of the piece for an offset: `offset << 32 | at`.
using MixVote = std::uint64_t;
std::uint32_t offset_of(MixVote vote) { return static_cast<std::uint32_t>(vote >> 32U); }
std::uint32_t value_of(MixVote vote) { return static_cast<std::uint32_t>(vote); }

struct MixCandidate {
  std::uint32_t offset = 0;
  std::uint32_t indexed_value = 0;  // in the middle of the votes
  std::uint32_t votes = 0;
};

std::int64_t gain_of(std::uint32_t a, std::uint32_t b) {
  return kBitsOfValue * kToleratedPercent - 100 * std::int64_t{std::popcount(a ^ b)};
}

/// Collects the votes of one piece.
class Voting {
 public:
  explicit Voting(const Fingerprints& index) : index_(index), bits_(index.compared_bits()) {}

  std::vector<MixVote> votes(const Piece& piece) {
    for (std::size_t at = 0; at < piece.size(); ++at) {
      if (at > 0 && piece[at] == piece[at - 1]) continue;
      entries_left_ = kEntriesOfValueMax;
      const std::uint32_t order = stable_bits_first(piece[at]);
      each_near_value(piece[at], [&](std::uint32_t value) { add(value, order, at); });
    }
    return std::move(votes_);
  }

  /// Calls `use` with the value and with those that differ from it in one or two of the compared bits.
  template <class Use>
  void each_near_value(std::uint32_t value, const Use& use) const {
    use(value);
    for (unsigned i = 0; i < bits_; ++i) {
      const std::uint32_t one = value ^ stable_bit(i);
      use(one);
      for (unsigned j = i + 1; bits_ <= kBitsOfTwoErrors && j < bits_; ++j) use(one ^ stable_bit(j));
    }
  }

 private:
  /// Adds the votes of the entries near `value`, which is the value `at` of the piece or near it; `order`: that of the
  /// piece's value.
  void add(std::uint32_t value, std::uint32_t order, std::size_t at) {
    const IndexRange range = index_.similar_entries(value, kEntriesOfRangeMax);
    const std::size_t count = range.end - range.begin;
    if (count > kEntriesOfRangeMax || count > entries_left_ || votes_.size() > kVotesOfPieceMax) return;
    entries_left_ -= count;
    index_.entries(range).each_piece([&](std::span<const std::uint64_t> entries) {
      for (const std::uint64_t stored : entries) {
        const Fingerprints::Entry entry = Fingerprints::entry_of(stored);
        if (entry.indexed_value >= index_.entry_count())
          throw_damaged("an index entry refers to a missing fingerprint");
        if (std::popcount(entry.order ^ order) > kErrorsOfVoteMax) continue;
        const std::int64_t begin =
            std::int64_t{entry.indexed_value} * kIndexedStep - static_cast<std::int64_t>(at) + kMixBias;
        votes_.push_back(static_cast<std::uint64_t>(begin) / kIndexedStep << 32U | at);
      }
    });
  }

  const Fingerprints& index_;
  unsigned bits_;
  std::size_t entries_left_ = 0;  // for the current value
  std::vector<MixVote> votes_;
};

/// Returns the votes that may have kMixVotesMin around them, sorted. Most of a million votes have none, so they are
/// counted by hash first.
std::vector<MixVote> frequent_votes(const std::vector<MixVote>& votes) {
  std::vector<std::uint8_t> counts(std::bit_ceil(votes.size() * 4 + 1));
  const auto count_at = [&](std::uint32_t offset, std::uint32_t window) -> std::uint8_t& {
    constexpr std::uint32_t kMultiplier = 2'654'435'761;
    return counts[std::size_t{offset + window * kMultiplier} & (counts.size() - 1)];
  };
  for (const MixVote vote : votes) {
    std::uint8_t& count = count_at(offset_of(vote), value_of(vote) / kVoteWindow);
    if (count < kMixVotesMin) ++count;
  }
  std::vector<MixVote> frequent;
  for (const MixVote vote : votes) {
    const std::uint32_t offset = offset_of(vote);
    const std::uint32_t window = value_of(vote) / kVoteWindow;
    unsigned around = 0;
    for (std::uint32_t i = 0; i < 9; ++i) around += count_at(offset + i / 3 - 1, window + i % 3 - 1);
    if (around >= kMixVotesMin) frequent.push_back(vote);
  }
  std::sort(frequent.begin(), frequent.end());
  return frequent;
}

/// Returns the votes for an offset and the next one, sorted by value of the piece: a value may be between two indexed
/// ones.
std::vector<MixVote> votes_of_both(std::span<const MixVote> votes, std::span<const MixVote> next) {
  std::vector<MixVote> both;
  both.reserve(votes.size() + next.size());
  std::merge(votes.begin(), votes.end(), next.begin(), next.end(), std::back_inserter(both),
             [](MixVote a, MixVote b) { return value_of(a) < value_of(b); });
  return both;
}

/// Returns the indexed value that voted.
std::uint32_t indexed_value_of(MixVote vote) {
  return static_cast<std::uint32_t>(std::int64_t{offset_of(vote)} - kMixBias / kIndexedStep +
                                    (value_of(vote) + kIndexedStep - 1) / kIndexedStep);
}

/// Returns the offsets with the most votes in a window of time.
std::vector<MixCandidate> candidates_of(const std::vector<MixVote>& sorted) {
  std::vector<MixCandidate> candidates;
  const auto end_of = [&](std::size_t begin) {
    std::size_t end = begin;
    while (end < sorted.size() && offset_of(sorted[end]) == offset_of(sorted[begin])) ++end;
    return end;
  };
  for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    end = end_of(begin);
    const std::uint32_t offset = offset_of(sorted[begin]);
    const bool has_next = end < sorted.size() && offset_of(sorted[end]) == offset + 1;
    const std::span all(sorted);
    const auto votes = votes_of_both(all.subspan(begin, end - begin),
                                     has_next ? all.subspan(end, end_of(end) - end) : std::span<const MixVote>());
    std::size_t most = 0;
    MixVote middle = 0;
    for (std::size_t first = 0, last = 0; last < votes.size(); ++last) {
      while (value_of(votes[last]) - value_of(votes[first]) >= kVoteWindow) ++first;
      if (last + 1 - first <= most) continue;
      most = last + 1 - first;
      middle = votes[(first + last) / 2];
    }
    if (most < kMixVotesMin) continue;
    candidates.push_back({offset, indexed_value_of(middle), static_cast<std::uint32_t>(most)});
  }
  const std::size_t kept = std::min(kCandidatesMax, candidates.size());
  std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(kept), candidates.end(),
                    [](const MixCandidate& a, const MixCandidate& b) {
                      return a.votes != b.votes ? a.votes > b.votes : a.offset < b.offset;
                    });
  candidates.resize(kept);
  return candidates;
}

std::uint32_t length(const HeardPart& part) { return part.end - part.begin; }

/// Returns how many values two parts share.
std::uint32_t shared(const HeardPart& a, const HeardPart& b) {
  const std::uint32_t begin = std::max(a.begin, b.begin);
  const std::uint32_t end = std::min(a.end, b.end);
  return begin < end ? end - begin : 0;
}

/// Whether the larger part of `part` is in `other`.
bool is_mostly_in(const HeardPart& part, const HeardPart& other) { return shared(part, other) * 2 > length(part); }

/// Whether the track hardly changes in any eight seconds of a part, which begins `begin` values after the start of the
/// track. Music that ends with silence does change.
bool is_steady(std::span<const std::uint32_t> words, std::int64_t begin, const HeardPart& part) {
  const auto first = static_cast<std::size_t>((begin + part.begin) / kStoredStep);
  const auto last = std::min(words.size() - 1, static_cast<std::size_t>((begin + part.end) / kStoredStep));
  const auto window = std::min(last - first, kSteadyWords);
  const auto change = [&](std::size_t i) { return static_cast<std::size_t>(std::popcount(words[i] ^ words[i + 1])); };
  std::size_t changes = 0;
  for (std::size_t i = first; i < last; ++i) {
    changes += change(i);
    if (i >= first + window) changes -= change(i - window);
    if (i + 1 >= first + window && changes >= window * kChangesPerWord) return false;
  }
  return true;
}

/// Returns the parts at the best of the alignments that a vote may mean, without those of another speed or a steady
/// tone.
std::vector<HeardPart> heard_at(const Piece& piece, const Fingerprints::Stored& stored, std::uint32_t offset) {
  const std::span<const std::uint32_t> words = stored.values.all();
  const std::int64_t first =
      std::int64_t{offset} * kIndexedStep - kMixBias - std::int64_t{stored.first_indexed} * kIndexedStep;
  std::vector<HeardPart> best;
  std::int64_t best_begin = 0;
  std::int64_t most = 0;
  constexpr std::int64_t kAround = 2 * std::int64_t{kIndexedStep};
  for (std::int64_t begin = first + 1 - std::int64_t{kIndexedStep}; begin < first + kAround; ++begin) {
    std::vector<HeardPart> parts = heard_in(piece, words, begin);
    std::int64_t gain = 0;
    for (const HeardPart& part : parts) gain = std::max(gain, part.gain);
    if (gain <= most) continue;
    most = gain;
    best = std::move(parts);
    best_begin = begin;
  }
  std::erase_if(best, [&](const HeardPart& part) {
    return is_steady(words, best_begin, part) || is_of_other_speed(piece, words, best_begin, part);
  });
  return best;
}

}  // namespace

std::int64_t required_gain(unsigned compared_bits) {
  constexpr std::int64_t kGain = 10'500;
  constexpr std::int64_t kDoubling = 620;
  constexpr std::int64_t kMeasuredBits = 9;
  return kGain + std::max<std::int64_t>(0, std::int64_t{compared_bits} - kMeasuredBits) * kDoubling;
}

std::vector<HeardPart> heard_in(std::span<const std::uint32_t> piece, std::span<const std::uint32_t> stored,
                                std::int64_t begin) {
  const std::int64_t step = kStoredStep;
  const std::int64_t first = std::max<std::int64_t>(0, (begin + step - 1) / step);
  std::vector<HeardPart> parts;
  HeardPart best;
  std::int64_t gain = 0;
  std::int64_t from = 0;
  const auto end_part = [&] {
    if (best.gain > 0) parts.push_back(best);
    best = {};
    gain = 0;
  };
  for (std::int64_t word = first; word < std::ssize(stored) && word * step - begin < std::ssize(piece); ++word) {
    const std::int64_t at = word * step - begin;
    if (gain <= 0 || best.gain - gain > kDropMax) {
      end_part();
      from = at;
    }
    gain += gain_of(piece[static_cast<std::size_t>(at)], stored[static_cast<std::size_t>(word)]);
    if (gain <= best.gain) continue;
    best = {.begin = static_cast<std::uint32_t>(from), .end = static_cast<std::uint32_t>(at + 1), .gain = gain};
    best.begins_track = from + begin < step;
    best.ends_track = word + 2 >= std::ssize(stored);  // the last value may be padding
  }
  end_part();
  return parts;
}

bool is_of_other_speed(std::span<const std::uint32_t> piece, std::span<const std::uint32_t> stored, std::int64_t begin,
                       const HeardPart& part) {
  const std::int64_t twice_middle = std::int64_t{part.begin} + part.end;
  const std::int64_t from = std::max<std::int64_t>(part.begin % kStoredStep, part.begin - kSpeedReach);
  const std::int64_t to = std::min<std::int64_t>(std::ssize(piece), part.end + kSpeedReach);
  return std::any_of(kSpeeds.begin(), kSpeeds.end(), [&](std::int64_t speed) {
    if (std::abs(speed) * length(part) < 2 * kShiftMin) return false;
    std::int64_t gain = 0;
    std::int64_t most = 0;
    for (std::int64_t at = from; at < to; at += kStoredStep) {
      const std::int64_t thousandths = (begin + at) * 1'000 + speed * (2 * at - twice_middle) / 2;
      const std::int64_t word = (thousandths + 500 * kStoredStep) / (1'000 * kStoredStep);
      if (thousandths < 0 || word >= std::ssize(stored)) continue;
      gain = std::max<std::int64_t>(0, gain) +
             gain_of(piece[static_cast<std::size_t>(at)], stored[static_cast<std::size_t>(word)]);
      most = std::max(most, gain);
    }
    return most * 100 > part.gain * kSpeedGainPercent;
  });
}

std::vector<ChosenPart> choose_parts(std::vector<HeardPart> parts, std::int64_t gain_min) {
  std::erase_if(parts, [&](const HeardPart& part) { return part.gain < gain_min; });
  std::sort(parts.begin(), parts.end(), [](const HeardPart& a, const HeardPart& b) {
    return std::tuple(-a.gain, a.position, a.begin) < std::tuple(-b.gain, b.position, b.begin);
  });
  std::vector<ChosenPart> chosen;
  for (const HeardPart& part : parts) {
    const auto holds = [&](const ChosenPart& other) { return is_mostly_in(part, other.part); };
    const auto better = std::find_if(chosen.begin(), chosen.end(), holds);
    if (better == chosen.end()) {
      chosen.push_back({part, false});
      continue;
    }
    const bool is_again = std::any_of(chosen.begin(), chosen.end(), [&](const ChosenPart& other) {
      return other.part.position == part.position && holds(other);
    });
    if (is_again || part.gain * 100 < better->part.gain * kEqualPercent) continue;
    better->is_ambiguous = true;
    chosen.push_back({part, true});
  }
  std::sort(chosen.begin(), chosen.end(), [](const ChosenPart& a, const ChosenPart& b) {
    return std::tuple(a.part.begin, a.part.position) < std::tuple(b.part.begin, b.part.position);
  });
  return chosen;
}

std::vector<HeardPart> MixLookup::heard_parts(const Piece& piece) const {
  const Fingerprints& index = index_.fingerprints;
  Voting voting(index);
  if (fetcher_.is_remote()) {
    Piece probes;
    for (const std::uint32_t value : piece) {
      voting.each_near_value(value, [&](std::uint32_t near) { probes.push_back(near); });
    }
    fetcher_.fingerprint_entries(probes, kEntriesOfRangeMax);
  }
  const std::vector<MixCandidate> candidates = candidates_of(frequent_votes(voting.votes(piece)));
  std::vector<std::uint32_t> indexed_values;
  indexed_values.reserve(candidates.size());
  for (const MixCandidate& candidate : candidates) indexed_values.push_back(candidate.indexed_value);
  const std::vector<std::uint32_t> tracks = fetch_tracks_with(indexed_values, index, fetcher_);
  std::vector<HeardPart> parts;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> compared;  // tracks and offsets
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const std::uint32_t offset = candidates[i].offset;
    const auto is_near = [&](const auto& other) {
      return other.first == tracks[i] && std::max(other.second, offset) - std::min(other.second, offset) <= 1;
    };
    const auto of_track =
        std::count_if(compared.begin(), compared.end(), [&](const auto& other) { return other.first == tracks[i]; });
    if (of_track >= kUsesOfTrackMax || std::any_of(compared.begin(), compared.end(), is_near)) continue;
    compared.emplace_back(tracks[i], offset);
    const Fingerprints::Stored stored = index.stored(tracks[i]);
    for (HeardPart part : heard_at(piece, stored, offset)) {
      part.position = stored.position;
      parts.push_back(part);
    }
  }
  return parts;
}

std::vector<std::vector<HeardTrack>> MixLookup::look_up_mixes(std::span<const Piece> pieces) const {
  std::vector<std::vector<HeardTrack>> heard(pieces.size());
  if (index_.fingerprints.empty()) return heard;
  const std::int64_t gain_min = required_gain(index_.fingerprints.compared_bits());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::vector<HeardPart> parts =
        fetcher_.partial_result("piece", i, pieces[i], [&] { return heard_parts(pieces[i]); });
    std::erase_if(parts, [&](const HeardPart& part) { return index_.taken_down.contains(part.position); });
    const std::vector<ChosenPart> chosen = choose_parts(std::move(parts), gain_min);
    std::vector<std::uint32_t> positions;
    positions.reserve(chosen.size());
    for (const ChosenPart& one : chosen) positions.push_back(one.part.position);
    const std::vector<StoredTrack> stored = lookup_.at(positions);
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const HeardPart& part = chosen[k].part;
      heard[i].push_back({{part.position, stored[k].rendered},
                          part.begin,
                          part.end,
                          part.begins_track,
                          part.ends_track,
                          chosen[k].is_ambiguous});
    }
  }
  return heard;
}

}  // namespace tonearm::catalog
