#pragma once
// Decodes an audio file block by block: WAV, AIFF, FLAC, Ogg (Vorbis, Opus, FLAC) and MP3. Files are hostile: what a
// file says of itself never decides how much memory or time is used.

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace tonearm::audio {

struct AudioFormat {
  std::uint32_t sample_rate = 0;  // Hz, kLowestRate to kHighestRate
  std::uint32_t channels = 0;     // 1 to kMostChannels
};

inline constexpr std::uint32_t kLowestRate = 1'000;
inline constexpr std::uint32_t kHighestRate = 384'000;
inline constexpr std::uint32_t kMostChannels = 8;
inline constexpr std::uint64_t kLongestSeconds = 4 * 60 * 60;

/// Takes what is decoded.
class AudioSink {
 public:
  virtual ~AudioSink() = default;
  /// Called once, before any block.
  virtual void begin(AudioFormat format) = 0;
  /// Whole frames, channel beside channel, full scale at 1; every value is finite.
  virtual void take(std::span<const float> block) = 0;
};

/// Decodes the file into `sink`. Answers what is wrong with the file, in a sentence without its name; nothing: all of
/// it was decoded. Safe for concurrent calls.
std::optional<std::string> decode(const std::string& path, AudioSink& sink);

/// Whether all of them are finite and of a size that sound has.
bool all_are_samples(std::span<const float> block);

/// The decoders and their versions, for caches.
std::string decoder_version();

}  // namespace tonearm::audio
