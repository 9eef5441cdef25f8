#include "catalog/lookup/sound_lookup.h"

#include <algorithm>
#include <array>
#include <bit>

namespace tonearm::catalog {
namespace {

using Values = std::vector<std::uint32_t>;

/// Probes are runs of adjacent values, one of which aligns with an indexed value of the track.
constexpr std::size_t kProbesMax = 96;
/// Values with more similar entries are uninformative: silence, a held note.
constexpr std::size_t kSimilarEntriesMax = 2'048;
/// The number of entries read for one fingerprint, rarest values first. Without a limit it is about 6,000.
constexpr std::size_t kEntriesMax = 16'384;
/// Of the 32 bits of an entry. By chance half of them differ; in a noisy recording about four.
constexpr int kVoteBitsMax = 6;
constexpr std::size_t kOffsetsMax = 24;
constexpr std::ptrdiff_t kOffsetsOfTrackMax = 2;
constexpr std::uint32_t kVotesMin = 2;

/// Shorter overlaps must agree better. This is about 9 s of audio, including what a value looks ahead. In measured
/// pieces, the same music played 6 % faster differs in 20.6 % or more (docs/benchmarks.md); a piece under noise in 12 %
/// or less, one in 18.4 %.
constexpr std::uint32_t kLongOverlap = 24;
constexpr std::uint32_t kLongErrorsPercent = 18;
constexpr std::uint32_t kShortOverlap = 8;
constexpr std::uint32_t kShortErrorsPercent = 10;
/// Tracks with this share of the best gain fit equally well.
constexpr std::int64_t kRivalPercent = 92;

/// Added to offsets, in values over all tracks, so that none is negative.
constexpr std::int64_t kBias = 4'096;

/// Returns the indexes of the values that are looked up, ascending.
std::vector<std::size_t> choose_probes(std::size_t count) {
  std::vector<std::size_t> probes;
  probes.reserve(kProbesMax);
  constexpr std::size_t kRuns = kProbesMax / kIndexedStep;
  for (std::size_t run = 0; run < kRuns; ++run) {
    std::size_t at = run * count / kRuns;
    const std::size_t next = std::min((run + 1) * count / kRuns, at + kIndexedStep);
    for (; at < next; ++at) probes.push_back(at);
  }
  return probes;
}

struct Vote {
  std::uint64_t offset = 0;         // in units of kIndexedStep values
  std::uint32_t indexed_value = 0;  // of the entry that votes

  friend auto operator<=>(const Vote&, const Vote&) = default;  // NOLINT(*-use-nullptr): of what is defaulted
};
struct Offset {
  std::uint64_t offset = 0;
  std::uint32_t indexed_value = 0;
  std::uint32_t votes = 0;
};

struct Probe {
  std::size_t at = 0;  // the index of its value
  IndexRange similar_entries;

  std::size_t entries() const { return similar_entries.end - similar_entries.begin; }
};

/// Returns the rarest probes, within the limit of entries.
std::vector<Probe> rarest_probes(const Fingerprints& index, const Values& values) {
  std::vector<Probe> probes;
  probes.reserve(kProbesMax);
  for (const std::size_t at : choose_probes(values.size())) {
    if (at > 0 && values[at] == values[at - 1]) continue;
    const Probe probe{at, index.similar_entries(values[at], kSimilarEntriesMax)};
    if (probe.entries() <= kSimilarEntriesMax) probes.push_back(probe);
  }
  std::sort(probes.begin(), probes.end(), [](const Probe& a, const Probe& b) {
    return a.entries() != b.entries() ? a.entries() < b.entries() : a.at < b.at;
  });
  std::size_t entries = 0;
  const auto too_many = std::find_if(probes.begin(), probes.end(), [&](const Probe& probe) {
    entries += probe.entries();
    return entries > kEntriesMax;
  });
  probes.erase(too_many, probes.end());
  return probes;
}

std::vector<Vote> vote(const Fingerprints& index, const Values& values) {
  std::vector<Vote> votes;
  for (const Probe& probe : rarest_probes(index, values)) {
    const std::uint32_t order = stable_bits_first(values[probe.at]);
    index.entries(probe.similar_entries).each_piece([&](std::span<const std::uint64_t> entries) {
      for (const std::uint64_t stored : entries) {
        const Fingerprints::Entry entry = Fingerprints::entry_of(stored);
        if (std::popcount(entry.order ^ order) > kVoteBitsMax) continue;
        const std::int64_t begin =
            std::int64_t{entry.indexed_value} * kIndexedStep - static_cast<std::int64_t>(probe.at) + kBias;
        votes.push_back({static_cast<std::uint64_t>(begin) / kIndexedStep, entry.indexed_value});
      }
    });
  }
  return votes;
}

/// Returns the offsets with the most votes. Adjacent offsets count together, because a probe may be between two indexed
/// values.
std::vector<Offset> best_offsets(std::vector<Vote> votes) {
  std::sort(votes.begin(), votes.end());
  std::vector<Offset> offsets;
  for (std::size_t begin = 0, end = 0; begin < votes.size(); begin = end) {
    while (end < votes.size() && votes[end].offset == votes[begin].offset) ++end;
    offsets.push_back(
        {votes[begin].offset, votes[begin + (end - begin) / 2].indexed_value, static_cast<std::uint32_t>(end - begin)});
  }
  std::vector<Offset> enough;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    Offset offset = offsets[i];
    if (i + 1 < offsets.size() && offsets[i + 1].offset == offset.offset + 1) offset.votes += offsets[i + 1].votes;
    if (offset.votes >= kVotesMin) enough.push_back(offset);
  }
  const std::size_t kept = std::min(kOffsetsMax, enough.size());
  std::partial_sort(
      enough.begin(), enough.begin() + static_cast<std::ptrdiff_t>(kept), enough.end(),
      [](const Offset& a, const Offset& b) { return a.votes != b.votes ? a.votes > b.votes : a.offset < b.offset; });
  enough.resize(kept);
  return enough;
}

/// Compares a piece that begins `begin` values after the start of the track (before it if negative).
Overlap overlap_at(const Values& values, std::span<const std::uint32_t> words, std::int64_t begin) {
  Overlap overlap;
  const std::int64_t step = kStoredStep;
  const std::int64_t first = std::max<std::int64_t>(0, (begin + step - 1) / step);
  const auto count = static_cast<std::int64_t>(values.size());
  for (std::int64_t word = first; word < std::ssize(words) && word * step - begin < count; ++word) {
    const auto at = static_cast<std::size_t>(word);
    overlap.errors +=
        static_cast<std::uint32_t>(std::popcount(words[at] ^ values[static_cast<std::size_t>(word * step - begin)]));
    if (word > first) overlap.changes += static_cast<std::uint32_t>(std::popcount(words[at] ^ words[at - 1]));
    ++overlap.values;
  }
  return overlap;
}

/// Returns the best of the alignments that one vote may mean.
Overlap best_overlap(const Values& values, const Fingerprints::Stored& stored, std::uint64_t offset) {
  const std::span<const std::uint32_t> words = stored.values.all();
  const std::int64_t begin =
      static_cast<std::int64_t>(offset) * kIndexedStep - kBias - std::int64_t{stored.first_indexed} * kIndexedStep;
  Overlap best;
  constexpr std::int64_t kAround = 2 * std::int64_t{kIndexedStep};
  for (std::int64_t shift = 1 - std::int64_t{kIndexedStep}; shift < kAround; ++shift) {
    const Overlap overlap = overlap_at(values, words, begin + shift);
    if (overlap.gain() > best.gain()) best = overlap;
  }
  return best;
}

/// Returns the tracks at the offsets that are the same recording: the best one and those that fit equally well, by
/// position. `tracks`: their numbers, for each offset.
std::vector<std::uint32_t> same_recordings(const Values& values, std::span<const Offset> offsets,
                                           std::span<const std::uint32_t> tracks, const Fingerprints& index) {
  struct Found {
    std::uint32_t position = 0;
    std::int64_t gain = 0;
  };
  std::vector<Found> found;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const std::uint32_t number = tracks[i];
    const auto before = tracks.first(i);
    if (std::count(before.begin(), before.end(), number) >= kOffsetsOfTrackMax) continue;
    const Fingerprints::Stored stored = index.stored(number);
    const Overlap overlap = best_overlap(values, stored, offsets[i].offset);
    const std::size_t query_length = (values.size() + kStoredStep - 1) / kStoredStep;
    if (!is_same_recording(overlap, std::min(query_length, stored.values.size()))) continue;
    found.push_back({stored.position, overlap.gain()});
    most = std::max(most, overlap.gain());
  }
  std::vector<std::uint32_t> positions;
  for (const Found& one : found) {
    if (one.gain * 100 >= most * kRivalPercent) positions.push_back(one.position);
  }
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

}  // namespace

bool is_same_recording(const Overlap& overlap, std::size_t shorter) {
  if (overlap.values < kShortOverlap || overlap.values * std::size_t{2} < shorter) return false;
  if (overlap.changes < overlap.values * kChangesPerWord) return false;
  const std::uint32_t percent = overlap.values < kLongOverlap ? kShortErrorsPercent : kLongErrorsPercent;
  return std::uint64_t{overlap.errors} * 100 <= std::uint64_t{overlap.values} * 32 * percent;
}

std::vector<std::uint32_t> fetch_tracks_with(std::span<const std::uint32_t> indexed_values, const Fingerprints& index,
                                             const Fetcher& fetcher) {
  fetcher.fingerprint_tracks(indexed_values);
  std::vector<std::uint32_t> tracks;
  tracks.reserve(indexed_values.size());
  for (const std::uint32_t value : indexed_values) tracks.push_back(index.track_at(value));
  fetcher.fingerprints(tracks);
  return tracks;
}

std::vector<std::uint32_t> SoundLookup::positions_of(const Values& fingerprint) const {
  const Fingerprints& index = index_.fingerprints;
  Values probes;
  for (const std::size_t probe : choose_probes(fingerprint.size())) probes.push_back(fingerprint[probe]);
  fetcher_.fingerprint_entries(probes, kSimilarEntriesMax);
  const std::vector<Offset> offsets = best_offsets(vote(index, fingerprint));
  std::vector<std::uint32_t> indexed_values;
  indexed_values.reserve(offsets.size());
  for (const Offset& offset : offsets) indexed_values.push_back(offset.indexed_value);
  return same_recordings(fingerprint, offsets, fetch_tracks_with(indexed_values, index, fetcher_), index);
}

/// One fingerprint after the other, because each is made of more than a hundred blocks of a large file.
std::vector<std::vector<FoundTrack>> SoundLookup::look_up_fingerprints(std::span<const Values> fingerprints) const {
  std::vector<std::vector<std::uint32_t>> positions(fingerprints.size());
  if (index_.fingerprints.empty()) return render(positions);
  for (std::size_t i = 0; i < fingerprints.size(); ++i) {
    positions[i] =
        fetcher_.partial_result("fingerprint", i, fingerprints[i], [&] { return positions_of(fingerprints[i]); });
    index_.taken_down.remove_from(positions[i]);
  }
  return render(positions);
}

std::vector<std::vector<FoundTrack>> SoundLookup::look_up_files(std::span<const Sha256> hashes) const {
  fetcher_.file_hashes(hashes);
  std::vector<std::vector<std::uint32_t>> positions;
  positions.reserve(hashes.size());
  for (const Sha256& hash : hashes) {
    positions.push_back(index_.file_hashes.tracks_of(hash));
    index_.taken_down.remove_from(positions.back());
    if (positions.back().size() > kNamesakesMax) positions.back().resize(kNamesakesMax);
  }
  return render(positions);
}

std::vector<std::vector<FoundTrack>> SoundLookup::render(
    const std::vector<std::vector<std::uint32_t>>& positions) const {
  std::vector<std::uint32_t> all;
  for (const auto& some : positions) all.insert(all.end(), some.begin(), some.end());
  const std::vector<StoredTrack> stored = lookup_.at(all);
  std::vector<std::vector<FoundTrack>> found;
  auto next = stored.begin();
  for (const auto& some : positions) {
    std::vector<FoundTrack>& tracks = found.emplace_back();
    for (const std::uint32_t position : some) tracks.push_back({position, (next++)->rendered});
  }
  return found;
}

}  // namespace tonearm::catalog
