#include "measuring/tempo.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "measuring/spectrum.h"

namespace tonearm::audio {

namespace {

constexpr double kBpmMin = 60;
constexpr double kBpmMax = 200;
// The tempo that people tap. Octaves of it are less likely.
constexpr double kUsualBpm = 120;
constexpr double kPriorOctaves = 0.8;
// Longer recordings are not loops of whole beats.
constexpr double kLoopSecondsMax = 30;
// A steady tempo needs so many beats, unless they fill a loop.
constexpr double kBeatsMin = 8;
constexpr double kTempoSecondsMin = 0.8;
constexpr std::size_t kLoopBeatsMin = 4;
constexpr double kMeanSeconds = 0.5;
// The required autocorrelation: of a loop at one beat and, on average, at all its beats; of other recordings, on
// average at one to four beats.
constexpr double kOneBeatMin = 0.1;
constexpr double kLoopBeatsMeanMin = 0.17;
constexpr double kFreeBeatsMeanMin = 0.35;
// The autocorrelation of a confidence of 100.
constexpr double kFullConfidence = 0.8;

/// Returns the onsets minus the mean around them, at least 0.
std::vector<double> accents_of(const std::vector<float>& onsets, double frames_per_second, Boundary boundary) {
  const auto size = static_cast<std::ptrdiff_t>(onsets.size());
  const auto reach = static_cast<std::ptrdiff_t>(kMeanSeconds * frames_per_second);
  std::vector<double> result(onsets.size());
  for (std::ptrdiff_t i = 0; i < size; ++i) {
    double sum = 0;
    std::ptrdiff_t count = 0;
    for (auto j = i - reach; j <= i + reach; ++j) {
      if (boundary == Boundary::silent && (j < 0 || j >= size)) continue;
      sum += onsets[static_cast<std::size_t>(((j % size) + size) % size)];
      ++count;
    }
    const auto accent = onsets[static_cast<std::size_t>(i)] - sum / static_cast<double>(count);
    result[static_cast<std::size_t>(i)] = std::max(accent, 0.0);
  }
  // A beat rarely coincides with a frame, so it is spread over the neighbors.
  auto smooth = result;
  for (std::ptrdiff_t i = 0; i < size; ++i) {
    const auto at = [&](std::ptrdiff_t j) {
      return boundary == Boundary::wrapped ? result[static_cast<std::size_t>((j % size + size) % size)]
             : j >= 0 && j < size          ? result[static_cast<std::size_t>(j)]
                                           : 0.0;
    };
    smooth[static_cast<std::size_t>(i)] = at(i - 2) + 2 * at(i - 1) + 3 * at(i) + 2 * at(i + 1) + at(i + 2);
  }
  return smooth;
}

/// The autocorrelation of accents: 1 for identical accents, 0 for unrelated ones.
class Autocorrelation {
 public:
  Autocorrelation(std::vector<double> accents, Boundary boundary) : accents_(std::move(accents)), boundary_(boundary) {
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
    const auto pairs = boundary_ == Boundary::wrapped ? size : size - std::min(lag, size);
    if (pairs == 0 || power_ <= 0) return 0;
    double sum = 0;
    for (std::size_t i = 0; i < pairs; ++i) sum += accents_[i] * accents_[(i + lag) % size];
    return sum / static_cast<double>(pairs) / power_;
  }

  std::vector<double> accents_;
  Boundary boundary_;
  double mean_ = 0;
  double power_ = 0;
};

double prior(double bpm) {
  const auto octaves = std::log2(bpm / kUsualBpm) / kPriorOctaves;
  return std::exp(-0.5 * octaves * octaves);
}

/// Returns the prior of the number of beats in a loop: mostly 4, 8 or 16, rarely 7 or 11.
double loop_prior(std::size_t beats) {
  if ((beats & (beats - 1)) == 0) return 1;
  return beats % 4 == 0 || beats == 6 ? 0.7 : 0;
}

struct Candidate {
  double bpm = 0;
  double correlation = 0;
  double score = 0;
};

Autocorrelation autocorrelation_of(const Spectrogram& spectrogram, Boundary boundary) {
  return {accents_of(onsets_of(spectrogram, boundary), spectrogram.frames_per_second, boundary), boundary};
}

/// Finds the tempo of a loop of whole beats.
Candidate loop_tempo(std::span<const float> mono, std::uint32_t sample_rate) {
  const auto seconds = static_cast<double>(mono.size()) / sample_rate;
  const auto spectrogram = spectrogram_of(mono, sample_rate, Boundary::wrapped);
  const auto correlation = autocorrelation_of(spectrogram, Boundary::wrapped);
  const auto frames = static_cast<double>(spectrogram.frames());
  Candidate best;
  const auto most_beats = static_cast<std::size_t>(seconds * kBpmMax / 60);
  for (auto beats = kLoopBeatsMin; beats <= most_beats; ++beats) {
    const auto beat = frames / static_cast<double>(beats);
    const auto bpm = 60 * static_cast<double>(beats) / seconds;
    if (bpm < kBpmMin || loop_prior(beats) == 0 || correlation.at(beat) < kOneBeatMin) continue;
    double sum = 0;
    for (std::size_t i = 1; i < beats; ++i) sum += correlation.at(beat * static_cast<double>(i));
    const auto mean = sum / static_cast<double>(beats - 1);
    const auto score = mean * prior(bpm) * loop_prior(beats);
    if (mean >= kLoopBeatsMeanMin && score > best.score) best = {bpm, mean, score};
  }
  return best;
}

/// Returns the mean correlation at 1 to `beats` beats, up to half of the recording.
double mean_correlation(const Autocorrelation& correlation, const Spectrogram& spectrogram, double bpm, int beats) {
  const auto beat = 60 / bpm * spectrogram.frames_per_second;
  double sum = 0;
  int count = 0;
  for (int i = 1; i <= beats && beat * i < static_cast<double>(spectrogram.frames()) / 2; ++i, ++count) {
    sum += correlation.at(beat * i);
  }
  return count == 0 ? 0 : sum / count;
}

/// Refines a tempo over more and more beats, where a small error accumulates.
double refined(const Autocorrelation& correlation, const Spectrogram& spectrogram, double bpm) {
  for (const int beats : {8, 16, 32, 64}) {
    const auto step = bpm * 0.02 / (beats * 4);
    auto best = bpm;
    auto best_correlation = mean_correlation(correlation, spectrogram, bpm, beats);
    for (int i = -8; i <= 8; ++i) {
      const auto candidate = mean_correlation(correlation, spectrogram, bpm + step * i, beats);
      if (candidate > best_correlation) {
        best = bpm + step * i;
        best_correlation = candidate;
      }
    }
    bpm = best;
  }
  return bpm;
}

/// Finds the tempo of a recording with arbitrary ends.
Candidate free_tempo(std::span<const float> mono, std::uint32_t sample_rate) {
  constexpr double kStep = 1.005;
  const auto seconds = static_cast<double>(mono.size()) / sample_rate;
  const auto spectrogram = spectrogram_of(mono, sample_rate, Boundary::silent);
  const auto correlation = autocorrelation_of(spectrogram, Boundary::silent);
  Candidate best;
  for (double bpm = kBpmMin; bpm <= kBpmMax; bpm *= kStep) {
    const auto candidate = mean_correlation(correlation, spectrogram, bpm, 4);
    const auto score = candidate * prior(bpm);
    if (candidate >= kFreeBeatsMeanMin && score > best.score && seconds * bpm / 60 >= kBeatsMin)
      best = {bpm, candidate, score};
  }
  if (best.bpm == 0) return best;
  best.bpm = refined(correlation, spectrogram, best.bpm);
  // Tempi of machines are whole numbers; others are rounded to a tenth.
  const auto whole = std::round(best.bpm);
  best.bpm = std::fabs(best.bpm - whole) < 0.15 ? whole : std::round(best.bpm * 10) / 10;
  return best;
}

Tempo tempo_from(const Candidate& candidate, bool fills_loop) {
  return {static_cast<std::uint32_t>(std::lround(candidate.bpm * 100)),
          static_cast<std::uint32_t>(std::lround(100 * std::min(candidate.correlation / kFullConfidence, 1.0))),
          fills_loop};
}

}  // namespace

Tempo tempo_of(std::span<const float> mono, std::uint32_t sample_rate, TempoSearch search) {
  const auto seconds = static_cast<double>(mono.size()) / sample_rate;
  if (seconds < kTempoSecondsMin) return {};
  if (search == TempoSearch::loop_first && seconds <= kLoopSecondsMax) {
    if (const auto loop = loop_tempo(mono, sample_rate); loop.bpm > 0) return tempo_from(loop, true);
  }
  const auto free = free_tempo(mono, sample_rate);
  return free.bpm > 0 ? tempo_from(free, false) : Tempo{};
}

}  // namespace tonearm::audio
