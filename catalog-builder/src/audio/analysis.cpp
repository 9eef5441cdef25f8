#include "audio/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "audio/decoded_audio.h"
#include "audio/fingerprint.h"
#include "audio/level.h"

namespace tonearm::builder {

namespace {

constexpr std::size_t kMostMonoFrames = 30'000'000;

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
  if (auto fault = decode(path, recorder)) return {std::nullopt, std::move(*fault)};
  return {recorder.finish(), ""};
}

std::string measuring_version() {
  return fmt::format("{} {} {} {}", kMeasurementVersion, decoder_version(), loudness_version(), fingerprint_version());
}

}  // namespace tonearm::builder
