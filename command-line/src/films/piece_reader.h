#pragma once
// Reads the sound of a film in windows, and fingerprints several at once (CLI-28).

#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "fingerprint/pieces.h"

namespace tonearm::cli {

/// Reads mono samples at `audio::kTonalFilterRate` until the span is full or the sound ends; returns their number.
using ReadSamples = std::function<std::size_t(std::span<float>)>;

/// Contains at most nine windows at a time, and fingerprints eight of them on all processors. Not thread-safe.
class PieceReader {
 public:
  /// Returns the pieces of a window, which begins at so many seconds; called by several threads.
  using Fingerprint = std::function<std::vector<audio::Piece>(double begin_s, std::span<const float> samples)>;

  explicit PieceReader(ReadSamples read, Fingerprint fingerprint = audio::pieces_of)
      : read_(std::move(read)), fingerprint_(std::move(fingerprint)) {}

  /// Returns the pieces of the next windows, in order. Throws what reading and fingerprinting throw.
  std::vector<audio::Piece> next();
  /// Returns whether the sound has ended.
  bool is_at_end() const { return is_at_end_; }
  /// Returns how much was read, in seconds.
  double read_s() const;

 private:
  struct Window {
    double begin_s = 0;
    std::vector<float> samples;
  };
  void read_window(std::vector<Window>& windows);

  ReadSamples read_;
  Fingerprint fingerprint_;
  audio::SoundWindow window_;
  std::size_t read_samples_ = 0;
  bool is_at_end_ = false;
};

}  // namespace tonearm::cli
