#pragma once
// The sound of a film that a page decodes, and its pieces (WEB-49).

#include <audio_consumer.h>
#include <audio_processor.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fingerprint/pieces.h"
#include "fingerprint/tonal_filter.h"

namespace tonearm::audio {

/// Mixes sound to one channel at `kTonalFilterRate`, as Chromaprint does for every fingerprint, and returns its pieces.
/// Not thread-safe.
class FilmSound final : private chromaprint::AudioConsumer {
 public:
  /// Begins sound of another format. Returns false if Chromaprint cannot read it.
  bool begin(std::uint32_t sample_rate, std::uint32_t channels);
  /// Returns a buffer for so many frames of interleaved samples; write into it, then call `add`.
  std::int16_t* input(std::size_t frames);
  void add();
  void add_silence(std::size_t frames);
  /// Fingerprints the rest. No sound may follow.
  void end();

  /// The pieces of the windows that are complete, in order.
  std::vector<Piece>& pieces() { return pieces_; }

 private:
  void Consume(const std::int16_t* samples, int count) override;
  void fingerprint();

  chromaprint::AudioProcessor processor_{static_cast<int>(kTonalFilterRate), this};
  std::size_t channels_ = 1;
  std::vector<std::int16_t> input_;
  SoundWindow window_;
  std::vector<Piece> pieces_;
};

}  // namespace tonearm::audio
