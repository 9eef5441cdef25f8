#pragma once
// Decodes audio files block by block: WAV, AIFF, FLAC, Ogg (Vorbis, Opus, FLAC) and MP3. Files are untrusted: sizes in
// their headers never determine the use of memory or time.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace tonearm::audio {

struct Format {
  std::uint32_t sample_rate = 0;  // Hz, kSampleRateMin to kSampleRateMax
  std::uint32_t channels = 0;     // 1 to kChannelsMax
};

inline constexpr std::uint32_t kSampleRateMin = 1'000;
inline constexpr std::uint32_t kSampleRateMax = 384'000;
inline constexpr std::uint32_t kChannelsMax = 8;
inline constexpr std::uint64_t kSecondsMax = 4 * 60 * 60;

/// Receives decoded samples.
class SampleSink {
 public:
  virtual ~SampleSink() = default;
  /// Called once, before any block.
  virtual void begin(Format format) = 0;
  /// Receives whole frames of interleaved samples. Full scale is 1, and every sample is finite.
  virtual void write(std::span<const float> block) = 0;
};

/// Decodes a file into `sink`. Returns what is wrong with the file, as a sentence without its name, or nothing if the
/// whole file was decoded. Safe for concurrent calls.
std::optional<std::string> decode(const std::string& path, SampleSink& sink);

/// Returns whether all samples are finite and in the range of audio.
bool are_valid_samples(std::span<const float> block);

/// Returns the decoders and their versions, as a key for caches.
std::string decoder_version();

}  // namespace tonearm::audio
