#include "measuring/tempo.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "measuring/spectrum.h"

namespace tonearm::audio {

namespace {

constexpr double kSlowestBpm = 60;
constexpr double kFastestBpm = 200;
// People tap near this tempo; octaves away from it are less likely.
constexpr double kUsualBpm = 120;
constexpr double kPriorOctaves = 0.8;
// Longer than this a recording is a piece, not a loop that is cut to whole beats.
constexpr double kLongestLoopSeconds = 30;
// Fewer beats than this are no steady tempo, unless they fill a loop.
constexpr double kFewestBeats = 8;
constexpr double kShortestTempoSeconds = 0.8;
constexpr std::size_t kFewestLoopBeats = 4;
constexpr double kMeanSeconds = 0.5;
// How alike the accents must be: a loop's at one beat and, as a mean, at all of its beats; a piece's at one to four
// beats.
constexpr double kAtOneBeat = 0.1;
constexpr double kAtLoopBeats = 0.17;
constexpr double kAtFreeBeats = 0.35;
// As alike as the clearest beats are: a confidence of 100.
constexpr double kClearest = 0.8;

/// What stands out of the onsets around it; no less than 0.
std::vector<double> accents_of(const std::vector<float>& onsets, double frames_per_second, Ends ends) {
  const auto size = static_cast<std::ptrdiff_t>(onsets.size());
  const auto reach = static_cast<std::ptrdiff_t>(kMeanSeconds * frames_per_second);
  std::vector<double> result(onsets.size());
  for (std::ptrdiff_t i = 0; i < size; ++i) {
    double sum = 0;
    std::ptrdiff_t count = 0;
    for (auto j = i - reach; j <= i + reach; ++j) {
      if (ends == Ends::silent && (j < 0 || j >= size)) continue;
      sum += onsets[static_cast<std::size_t>(((j % size) + size) % size)];
      ++count;
    }
    const auto accent = onsets[static_cast<std::size_t>(i)] - sum / static_cast<double>(count);
    result[static_cast<std::size_t>(i)] = std::max(accent, 0.0);
  }
  // A beat is never struck on the frame exactly: neighbors share it.
  auto smooth = result;
  for (std::ptrdiff_t i = 0; i < size; ++i) {
    const auto at = [&](std::ptrdiff_t j) {
      return ends == Ends::joined ? result[static_cast<std::size_t>((j % size + size) % size)]
             : j >= 0 && j < size ? result[static_cast<std::size_t>(j)]
                                  : 0.0;
    };
    smooth[static_cast<std::size_t>(i)] = at(i - 2) + 2 * at(i - 1) + 3 * at(i) + 2 * at(i + 1) + at(i + 2);
  }
  return smooth;
}

/// How alike the accents and those `lag` frames later are: 1 the same, 0 no more than by chance.
class Likeness {
 public:
  Likeness(std::vector<double> accents, Ends ends) : accents_(std::move(accents)), ends_(ends) {
    mean_ = std::accumulate(accents_.begin(), accents_.end(), 0.0) / static_cast<double>(accents_.size());
    for (auto& accent : accents_) accent -= mean_;
    for (const auto accent : accents_) power_ += accent * accent;
    power_ /= static_cast<double>(accents_.size());
  }

  double at(double lag) const {
    const auto whole = static_cast<std::size_t>(lag);
    const auto rest = lag - static_cast<double>(whole);
    return (1 - rest) * of_frames(whole) + rest * of_frames(whole + 1);
  }

 private:
  double of_frames(std::size_t lag) const {
    const auto size = accents_.size();
    const auto pairs = ends_ == Ends::joined ? size : size - std::min(lag, size);
    if (pairs == 0 || power_ <= 0) return 0;
    double sum = 0;
    for (std::size_t i = 0; i < pairs; ++i) sum += accents_[i] * accents_[(i + lag) % size];
    return sum / static_cast<double>(pairs) / power_;
  }

  std::vector<double> accents_;
  Ends ends_;
  double mean_ = 0;
  double power_ = 0;
};

double prior(double bpm) {
  const auto octaves = std::log2(bpm / kUsualBpm) / kPriorOctaves;
  return std::exp(-0.5 * octaves * octaves);
}

/// How many beats fill a loop: most are of 4, 8 or 16, hardly any of 7 or 11.
double loop_prior(std::size_t beats) {
  if ((beats & (beats - 1)) == 0) return 1;
  return beats % 4 == 0 || beats == 6 ? 0.7 : 0;
}

struct Candidate {
  double bpm = 0;
  double likeness = 0;
  double score = 0;
};

Likeness likeness_of(const Spectrogram& spectrogram, Ends ends) {
  return {accents_of(onsets_of(spectrogram, ends), spectrogram.frames_per_second, ends), ends};
}

/// The tempo of a recording that is cut to whole beats.
Candidate loop_tempo(std::span<const float> mono, std::uint32_t sample_rate) {
  const auto seconds = static_cast<double>(mono.size()) / sample_rate;
  const auto spectrogram = spectrogram_of(mono, sample_rate, Ends::joined);
  const auto likeness = likeness_of(spectrogram, Ends::joined);
  const auto frames = static_cast<double>(spectrogram.frames());
  Candidate best;
  const auto most_beats = static_cast<std::size_t>(seconds * kFastestBpm / 60);
  for (auto beats = kFewestLoopBeats; beats <= most_beats; ++beats) {
    const auto beat = frames / static_cast<double>(beats);
    const auto bpm = 60 * static_cast<double>(beats) / seconds;
    if (bpm < kSlowestBpm || loop_prior(beats) == 0 || likeness.at(beat) < kAtOneBeat) continue;
    double sum = 0;
    for (std::size_t i = 1; i < beats; ++i) sum += likeness.at(beat * static_cast<double>(i));
    const auto mean = sum / static_cast<double>(beats - 1);
    const auto score = mean * prior(bpm) * loop_prior(beats);
    if (mean >= kAtLoopBeats && score > best.score) best = {bpm, mean, score};
  }
  return best;
}

/// The mean likeness at 1 to `beats` beats, as far as half the recording reaches.
double mean_likeness(const Likeness& likeness, const Spectrogram& spectrogram, double bpm, int beats) {
  const auto beat = 60 / bpm * spectrogram.frames_per_second;
  double sum = 0;
  int count = 0;
  for (int i = 1; i <= beats && beat * i < static_cast<double>(spectrogram.frames()) / 2; ++i, ++count) {
    sum += likeness.at(beat * i);
  }
  return count == 0 ? 0 : sum / count;
}

/// The same tempo, seen over more and more beats, where a small error adds up.
double refined(const Likeness& likeness, const Spectrogram& spectrogram, double bpm) {
  for (const int beats : {8, 16, 32, 64}) {
    const auto step = bpm * 0.02 / (beats * 4);
    auto best = bpm;
    auto best_likeness = mean_likeness(likeness, spectrogram, bpm, beats);
    for (int i = -8; i <= 8; ++i) {
      const auto there = mean_likeness(likeness, spectrogram, bpm + step * i, beats);
      if (there > best_likeness) {
        best = bpm + step * i;
        best_likeness = there;
      }
    }
    bpm = best;
  }
  return bpm;
}

/// The tempo of a recording that begins and ends anywhere.
Candidate free_tempo(std::span<const float> mono, std::uint32_t sample_rate) {
  constexpr double kStep = 1.005;
  const auto seconds = static_cast<double>(mono.size()) / sample_rate;
  const auto spectrogram = spectrogram_of(mono, sample_rate, Ends::silent);
  const auto likeness = likeness_of(spectrogram, Ends::silent);
  Candidate best;
  for (double bpm = kSlowestBpm; bpm <= kFastestBpm; bpm *= kStep) {
    const auto there = mean_likeness(likeness, spectrogram, bpm, 4);
    const auto score = there * prior(bpm);
    if (there >= kAtFreeBeats && score > best.score && seconds * bpm / 60 >= kFewestBeats) best = {bpm, there, score};
  }
  if (best.bpm == 0) return best;
  best.bpm = refined(likeness, spectrogram, best.bpm);
  // Music made by machines has whole tempi; what is played is known to a tenth.
  const auto whole = std::round(best.bpm);
  best.bpm = std::fabs(best.bpm - whole) < 0.15 ? whole : std::round(best.bpm * 10) / 10;
  return best;
}

Tempo tempo_from(const Candidate& candidate, bool fills_a_loop) {
  return {static_cast<std::uint32_t>(std::lround(candidate.bpm * 100)),
          static_cast<std::uint32_t>(std::lround(100 * std::min(candidate.likeness / kClearest, 1.0))), fills_a_loop};
}

}  // namespace

Tempo tempo_of(std::span<const float> mono, std::uint32_t sample_rate, Cut cut) {
  const auto seconds = static_cast<double>(mono.size()) / sample_rate;
  if (seconds < kShortestTempoSeconds) return {};
  if (cut == Cut::maybe_to_beats && seconds <= kLongestLoopSeconds) {
    if (const auto loop = loop_tempo(mono, sample_rate); loop.bpm > 0) return tempo_from(loop, true);
  }
  const auto free = free_tempo(mono, sample_rate);
  return free.bpm > 0 ? tempo_from(free, false) : Tempo{};
}

}  // namespace tonearm::audio
