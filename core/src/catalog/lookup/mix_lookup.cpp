#include "catalog/lookup/mix_lookup.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <tuple>

namespace tonearm::catalog {
namespace {

using Piece = std::vector<std::uint32_t>;

/// Values with more similar entries are uninformative: silence, a held note.
constexpr std::size_t kEntriesOfValueMax = 1'024;
/// With few entries, values are looked up with up to two wrong bits among the compared ones, otherwise with one.
constexpr unsigned kBitsOfTwoErrors = 12;
constexpr std::size_t kEntriesOfPieceMax = 6'000'000;
/// Of the 32 bits of an entry. Under speech that is louder than the music about nine differ.
constexpr int kErrorsOfVoteMax = 9;
constexpr std::uint32_t kMixVotesMin = 4;
constexpr std::size_t kCandidatesMax = 192;
constexpr std::size_t kCandidatesOfTrackMax = 8;
/// Added to offsets, in values over all tracks, so that none is negative.
constexpr std::int64_t kMixBias = 4'096;

constexpr std::int64_t kBitsOfValue = 32;
/// Measured over music under speech (tests/bench/films): right offsets differ in about 27 %, others in half the bits.
constexpr std::int64_t kToleratedPercent = 38;
/// A part is compared again at these speeds, in thousandths faster or slower.
constexpr std::array<std::int64_t, 10> kSpeeds{-90, -75, -60, -45, -30, 30, 45, 60, 75, 90};
/// Speeds that move the ends of a part by less, in thousandths of a value, cannot be distinguished.
constexpr std::int64_t kShiftMin = 1'000;
/// A part is of another speed if it then has this many percent of its gain.
constexpr std::int64_t kSpeedGainPercent = 102;
/// How far beyond a part it is compared at other speeds, in values.
constexpr std::int64_t kSpeedReach = 80;

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
      each_near_value(piece[at], [&](std::uint32_t value) { add(value, piece[at], at); });
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
  void add(std::uint32_t value, std::uint32_t wanted, std::size_t at) {
    const IndexRange range = index_.similar_entries(value, kEntriesOfValueMax);
    const std::size_t count = range.end - range.begin;
    if (count > kEntriesOfValueMax || (entries_ += count) > kEntriesOfPieceMax) return;
    const std::uint32_t order = stable_bits_first(wanted);
    index_.entries(range).each_piece([&](std::span<const std::uint64_t> entries) {
      for (const std::uint64_t stored : entries) {
        const Fingerprints::Entry entry = Fingerprints::entry_of(stored);
        if (std::popcount(entry.order ^ order) > kErrorsOfVoteMax) continue;
        const std::int64_t begin =
            std::int64_t{entry.indexed_value} * kIndexedStep - static_cast<std::int64_t>(at) + kMixBias;
        votes_.push_back(static_cast<std::uint64_t>(begin) / kIndexedStep << 32U | at);
      }
    });
  }

  const Fingerprints& index_;
  unsigned bits_;
  std::size_t entries_ = 0;
  std::vector<MixVote> votes_;
};

/// Returns the votes that may have kMixVotesMin around them, sorted. Most of a million votes have none, so they are
/// counted by hash first.
std::vector<MixVote> frequent_votes(const std::vector<MixVote>& votes) {
  std::vector<std::uint8_t> counts(std::bit_ceil(votes.size() * 4 + 1));
  const auto count_at = [&](std::uint32_t offset, std::uint32_t window) -> std::uint8_t& {
    constexpr std::uint32_t kMultiplier = 2'654'435'761;
    return counts[((offset + window * kMultiplier) * std::size_t{1}) & (counts.size() - 1)];
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
    for (std::uint32_t o = offset - 1; o <= offset + 1; ++o) {
      for (std::uint32_t w = window == 0 ? 0 : window - 1; w <= window + 1; ++w) around += count_at(o, w);
    }
    if (around >= kMixVotesMin) frequent.push_back(vote);
  }
  std::sort(frequent.begin(), frequent.end());
  return frequent;
}

/// Returns the votes for an offset and the next one, sorted by value of the piece: a value may be between two indexed
/// ones.
std::vector<std::uint32_t> values_of_both(std::span<const MixVote> votes, std::span<const MixVote> next) {
  std::vector<std::uint32_t> values;
  values.reserve(votes.size() + next.size());
  for (const auto& some : {votes, next}) {
    for (const MixVote vote : some) values.push_back(value_of(vote));
  }
  std::inplace_merge(values.begin(), values.begin() + std::ssize(votes), values.end());
  return values;
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
    const auto values = values_of_both(all.subspan(begin, end - begin),
                                       has_next ? all.subspan(end, end_of(end) - end) : std::span<const MixVote>());
    std::size_t most = 0;
    std::uint32_t middle = 0;
    for (std::size_t first = 0, last = 0; last < values.size(); ++last) {
      while (values[last] - values[first] >= kVoteWindow) ++first;
      if (last + 1 - first <= most) continue;
      most = last + 1 - first;
      middle = values[(first + last) / 2];
    }
    if (most < kMixVotesMin) continue;
    const auto indexed = std::int64_t{offset} - kMixBias / kIndexedStep + (middle + kIndexedStep - 1) / kIndexedStep;
    candidates.push_back({offset, static_cast<std::uint32_t>(indexed), static_cast<std::uint32_t>(most)});
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

/// A part with this share of the best gain fits equally well.
constexpr std::int64_t kEqualPercent = 92;
/// A faint part needs this many percent of the gain of any other track in its time.
constexpr std::int64_t kFaintPercent = 150;

bool is_proven(const HeardPart& part, std::span<const HeardPart> all, const GainLimits& limits) {
  if (part.gain >= limits.clear) return true;
  return part.gain >= limits.faint && std::none_of(all.begin(), all.end(), [&](const HeardPart& other) {
           return other.position != part.position && shared(part, other) > 0 &&
                  part.gain * 100 < other.gain * kFaintPercent;
         });
}

}  // namespace

GainLimits gain_limits(unsigned compared_bits) {
  constexpr std::int64_t kClear = 10'500;
  constexpr std::int64_t kFaint = 8'800;
  constexpr std::int64_t kDoubling = 620;
  constexpr std::int64_t kMeasuredBits = 9;
  const std::int64_t more = std::max<std::int64_t>(0, std::int64_t{compared_bits} - kMeasuredBits) * kDoubling;
  return {kClear + more, kFaint + more};
}

HeardPart best_part(std::span<const std::uint32_t> piece, std::span<const std::uint32_t> stored, std::int64_t begin) {
  const std::int64_t step = kStoredStep;
  const std::int64_t first = std::max<std::int64_t>(0, (begin + step - 1) / step);
  HeardPart best;
  std::int64_t gain = 0;
  std::int64_t from = 0;
  for (std::int64_t word = first; word < std::ssize(stored) && word * step - begin < std::ssize(piece); ++word) {
    const std::int64_t at = word * step - begin;
    if (gain <= 0) {
      gain = 0;
      from = at;
    }
    gain += gain_of(piece[static_cast<std::size_t>(at)], stored[static_cast<std::size_t>(word)]);
    if (gain > best.gain) {
      best = {0, static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(at + 1), gain};
    }
  }
  return best;
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

std::vector<ChosenPart> choose_parts(std::vector<HeardPart> parts, const GainLimits& limits) {
  std::sort(parts.begin(), parts.end(), [](const HeardPart& a, const HeardPart& b) {
    return std::tuple(-a.gain, a.position, a.begin) < std::tuple(-b.gain, b.position, b.begin);
  });
  std::vector<ChosenPart> chosen;
  for (const HeardPart& part : parts) {
    if (!is_proven(part, parts, limits)) continue;
    const auto holds = [&](const ChosenPart& other) { return is_mostly_in(part, other.part); };
    const auto better = std::find_if(chosen.begin(), chosen.end(), holds);
    if (better == chosen.end()) {
      chosen.push_back({part, part.gain >= limits.clear ? Hearing::clear : Hearing::faint});
      continue;
    }
    const bool is_again = std::any_of(chosen.begin(), chosen.end(), [&](const ChosenPart& other) {
      return other.part.position == part.position && holds(other);
    });
    if (is_again || part.gain * 100 < better->part.gain * kEqualPercent) continue;
    better->hearing = Hearing::ambiguous;
    chosen.push_back({part, Hearing::ambiguous});
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
    fetcher_.fingerprint_entries(probes, kEntriesOfValueMax);
  }
  const std::vector<MixCandidate> candidates = candidates_of(frequent_votes(voting.votes(piece)));
  std::vector<std::uint32_t> indexed_values;
  for (const MixCandidate& candidate : candidates) indexed_values.push_back(candidate.indexed_value);
  fetcher_.fingerprint_tracks(indexed_values);
  std::vector<std::uint32_t> tracks;
  for (const std::uint32_t value : indexed_values) tracks.push_back(index.track_at(value));
  fetcher_.fingerprints(tracks);
  std::vector<HeardPart> parts;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto before = std::count(tracks.begin(), tracks.begin() + static_cast<std::ptrdiff_t>(i), tracks[i]);
    if (before >= static_cast<std::ptrdiff_t>(kCandidatesOfTrackMax)) continue;
    const Fingerprints::Stored stored = index.stored(tracks[i]);
    if (index_.taken_down.contains(stored.position)) continue;
    const std::span<const std::uint32_t> words = stored.values.all();
    const std::int64_t offset = std::int64_t{candidates[i].offset} * kIndexedStep - kMixBias -
                                std::int64_t{stored.first_indexed} * kIndexedStep;
    HeardPart best;
    std::int64_t best_begin = 0;
    constexpr std::int64_t kAround = 2 * std::int64_t{kIndexedStep};
    for (std::int64_t begin = offset + 1 - std::int64_t{kIndexedStep}; begin < offset + kAround; ++begin) {
      const HeardPart part = best_part(piece, words, begin);
      if (part.gain <= best.gain) continue;
      best = part;
      best_begin = begin;
    }
    if (best.gain == 0 || is_of_other_speed(piece, words, best_begin, best)) continue;
    best.position = stored.position;
    parts.push_back(best);
  }
  return parts;
}

std::vector<std::vector<HeardTrack>> MixLookup::look_up_mixes(std::span<const Piece> pieces) const {
  std::vector<std::vector<HeardTrack>> heard(pieces.size());
  if (index_.fingerprints.empty()) return heard;
  const GainLimits limits = gain_limits(index_.fingerprints.compared_bits());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::vector<ChosenPart> chosen = choose_parts(heard_parts(pieces[i]), limits);
    std::vector<std::uint32_t> positions;
    for (const ChosenPart& one : chosen) positions.push_back(one.part.position);
    const std::vector<StoredTrack> stored = lookup_.at(positions);
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      const HeardPart& part = chosen[k].part;
      heard[i].push_back({{part.position, stored[k].rendered}, part.begin, part.end, chosen[k].hearing});
    }
  }
  return heard;
}

}  // namespace tonearm::catalog
