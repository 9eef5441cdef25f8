// Audio files of each format: decoding, the fingerprint, and tags.

#include <sndfile.h>
#include <cmath>

#include "decoding/decoded_audio.h"
#include "fingerprint/fingerprint.h"
#include "folder/tags.h"
#include "target.h"
#include "text/unicode.h"

namespace tonearm::fuzz {
namespace {

constexpr int kRate = 8'000;

/// Returns a file with a tone.
std::string encoded(int format) {
  const auto path = write_scratch("seed", {});
  SF_INFO info{};
  info.samplerate = kRate;
  info.channels = 1;
  info.format = format;
  SNDFILE* file = sf_open(path.c_str(), SFM_WRITE, &info);
  require(file != nullptr, "a format is not supported");
  std::vector<float> tone(kRate / 8);
  for (std::size_t i = 0; i < tone.size(); ++i) tone[i] = static_cast<float>(std::sin(static_cast<double>(i) / 5) / 2);
  sf_set_string(file, SF_STR_TITLE, "Rain");
  sf_writef_float(file, tone.data(), static_cast<sf_count_t>(tone.size()));
  sf_close(file);
  return read_scratch("seed");
}

std::vector<std::string> audio_seeds() {
  std::vector<std::string> seeds;
  for (const int format :
       {SF_FORMAT_WAV | SF_FORMAT_PCM_16, SF_FORMAT_WAV | SF_FORMAT_FLOAT, SF_FORMAT_WAV | SF_FORMAT_IMA_ADPCM,
        SF_FORMAT_WAVEX | SF_FORMAT_PCM_24, SF_FORMAT_RF64 | SF_FORMAT_PCM_16, SF_FORMAT_AIFF | SF_FORMAT_PCM_16,
        SF_FORMAT_FLAC | SF_FORMAT_PCM_16, SF_FORMAT_OGG | SF_FORMAT_VORBIS, SF_FORMAT_OGG | SF_FORMAT_OPUS,
        SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III}) {
    seeds.push_back(encoded(format));
  }
  return seeds;
}

class CheckedSink final : public audio::SampleSink {
 public:
  void begin(audio::Format format) override {
    require(format_.channels == 0, "a file begins twice");
    require(format.channels >= 1 && format.channels <= audio::kChannelsMax, "a file has too many channels");
    require(format.sample_rate >= audio::kSampleRateMin && format.sample_rate <= audio::kSampleRateMax,
            "a sample rate is out of range");
    format_ = format;
    fingerprinter_.begin(format);
  }
  void write(std::span<const float> block) override {
    require(format_.channels > 0 && block.size() % format_.channels == 0, "a block has half a frame");
    for (const float sample : block) require(std::isfinite(sample), "a sample is not finite");
    fingerprinter_.add(block);
  }
  void end() {
    if (format_.channels > 0) fingerprinter_.finish();
  }

 private:
  audio::Format format_;
  audio::Fingerprinter fingerprinter_;
};

void run_audio(std::string_view input) {
  CheckedSink sink;
  const auto wrong = audio::decode(write_scratch("sound", input), sink);
  if (!wrong) sink.end();
  for (const auto* name : {"sound.wav", "sound.mp3", "sound.flac", "sound.ogg", "sound.aiff"}) {
    const auto tags = builder::read_tags(write_scratch(name, input));
    for (const auto& [key, value] : tags.fields) require(text::is_utf8(value), "a tag is not UTF-8");
  }
}

}  // namespace

const Target kAudio{"audio", audio_seeds, run_audio};

}  // namespace tonearm::fuzz
