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

constexpr std::size_t kMostMonoFrames = 30'000'000;

void measure_spectrum(std::span<const float> mono, std::uint32_t sample_rate, AudioMeasurements& result) {
  const auto spectrogram = spectrogram_of(mono, sample_rate, Ends::silent);
  result.energy = energy_of(spectrogram);
  result.brightness = brightness_of(spectrogram);
  result.bandwidth_hz = bandwidth_of(spectrogram);
  result.key = key_of(mono, sample_rate);
  result.timbre = timbre_of(spectrogram);
  const auto seam = seam_of(mono, sample_rate);
  const auto tempo = tempo_of(mono, sample_rate, seam.begins_with_sound ? Cut::maybe_to_beats : Cut::anywhere);
  result.bpm_hundredths = tempo.bpm_hundredths;
  result.bpm_confidence = tempo.confidence;
  result.is_seamless_loop = seam.is_smooth && seam.is_even && (seam.is_sounding || tempo.fills_a_loop);
}

/// Hands each block to everything that measures while decoding, and keeps a mono copy for what needs a spectrum.
class Recorder final : public AudioSink {
 public:
  void begin(AudioFormat format) override {
    format_ = format;
    level_.begin(format);
    fingerprinter_.begin(format);
  }

  void take(std::span<const float> block) override {
    level_.take(block);
    fingerprinter_.take(block);
    for (std::size_t i = 0; i < block.size() && mono_.size() < kMostMonoFrames; i += format_.channels) {
      const auto frame = block.subspan(i, format_.channels);
      mono_.push_back(std::accumulate(frame.begin(), frame.end(), 0.F) / static_cast<float>(format_.channels));
    }
  }

  AudioMeasurements finish() {
    AudioMeasurements result;
    level_.finish(result);
    result.fingerprint = fingerprinter_.finish();
    measure_spectrum(mono_, format_.sample_rate, result);
    return result;
  }

 private:
  AudioFormat format_;
  LevelMeter level_;
  Fingerprinter fingerprinter_;
  std::vector<float> mono_;
};

}  // namespace

MeasuredAudio measure_audio(const std::string& path) {
  Recorder recorder;
  if (auto error = decode(path, recorder)) return {std::nullopt, std::move(*error)};
  return {recorder.finish(), ""};
}

std::string measuring_version() {
  return fmt::format("{} {} {} {}", kMeasurementVersion, decoder_version(), loudness_version(), fingerprint_version());
}

}  // namespace tonearm::audio
