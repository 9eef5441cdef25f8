#include "measuring/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "decoding/decoded_audio.h"
#include "fingerprint/fingerprint.h"
#include "measuring/character.h"
#include "measuring/key.h"
#include "measuring/level.h"
#include "measuring/seam.h"
#include "measuring/spectrum.h"
#include "measuring/tempo.h"
#include "measuring/timbre.h"

namespace tonearm::audio {

namespace {

constexpr std::size_t kMonoFramesMax = 30'000'000;

void measure_spectrum(std::span<const float> mono, std::uint32_t sample_rate, Measurements& result) {
  const auto spectrogram = spectrogram_of(mono, sample_rate, Boundary::silent);
  result.energy = energy_of(spectrogram);
  result.brightness = brightness_of(spectrogram);
  result.bandwidth_hz = bandwidth_of(spectrogram);
  result.key = key_of(mono, sample_rate);
  result.timbre = timbre_of(spectrogram);
  const auto seam = seam_of(mono, sample_rate);
  const auto tempo = tempo_of(mono, sample_rate, seam.starts_with_sound ? TempoSearch::loop_first : TempoSearch::free);
  result.bpm_hundredths = tempo.bpm_hundredths;
  result.bpm_confidence = tempo.confidence;
  result.is_seamless_loop = seam.is_smooth && seam.is_even && (seam.is_sounding || tempo.fills_loop);
}

/// Measures blocks while they are decoded, and keeps a mono copy for the spectrum.
class Analyzer final : public SampleSink {
 public:
  void begin(Format format) override {
    format_ = format;
    level_.begin(format);
    fingerprinter_.begin(format);
  }

  void write(std::span<const float> block) override {
    level_.add(block);
    fingerprinter_.add(block);
    for (std::size_t i = 0; i < block.size() && mono_.size() < kMonoFramesMax; i += format_.channels) {
      const auto frame = block.subspan(i, format_.channels);
      mono_.push_back(std::accumulate(frame.begin(), frame.end(), 0.F) / static_cast<float>(format_.channels));
    }
  }

  Measurements finish() {
    Measurements result;
    level_.finish(result);
    result.fingerprint = fingerprinter_.finish();
    measure_spectrum(mono_, format_.sample_rate, result);
    return result;
  }

 private:
  Format format_;
  LevelMeter level_;
  Fingerprinter fingerprinter_;
  std::vector<float> mono_;
};

}  // namespace

MeasuredAudio measure_audio(const std::string& path) {
  Analyzer analyzer;
  if (auto error = decode(path, analyzer)) return {std::nullopt, std::move(*error)};
  return {analyzer.finish(), ""};
}

std::string measuring_version() {
  return fmt::format("{} {} {} {}", kMeasurementVersion, decoder_version(), loudness_version(), fingerprint_version());
}

}  // namespace tonearm::audio
