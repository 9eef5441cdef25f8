#pragma once
// Fingerprints the sound of a film in pieces that overlap (CLI-28).

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tonearm::cli {

/// A fingerprint of a part of a film, as `POST /v1/credits/recognize` takes it.
struct Piece {
  double begin_s = 0;       // from the beginning of the film
  std::string fingerprint;  // compressed, in base64
};

/// Reads mono samples at `audio::kTonalFilterRate` until the span is full or the sound ends; returns their number.
using ReadSamples = std::function<std::size_t(std::span<float>)>;

/// Returns the pieces of a window: one of its sound, for music with short notes, and one of its sustained tones, for
/// music under speech. More if a fingerprint is longer than the API allows; none if it is silent or shorter than three
/// seconds. Thread-safe. Throws Failure if Chromaprint is not installed.
std::vector<Piece> pieces_of(double begin_s, std::span<const float> samples);

/// Returns the pieces of a raw fingerprint, each at most 1,024 values and 8,192 characters long.
std::vector<Piece> pieces_of_fingerprint(double begin_s, std::span<const std::uint32_t> values);

/// Reads windows of two minutes, each 90 seconds after the last. It contains at most eight windows at a time, and
/// fingerprints them on all processors. Not thread-safe.
class PieceReader {
 public:
  /// Returns the pieces of a window, which begins at so many seconds; called by several threads.
  using Fingerprint = std::function<std::vector<Piece>(double begin_s, std::span<const float> samples)>;

  explicit PieceReader(ReadSamples read, Fingerprint fingerprint = pieces_of)
      : read_(std::move(read)), fingerprint_(std::move(fingerprint)) {}

  /// Returns the pieces of the next windows, in order. Throws what reading and fingerprinting throw.
  std::vector<Piece> next();
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
  std::vector<float> overlap_;  // the end of the last window
  std::size_t begin_ = 0;       // of the next window, in samples
  std::size_t read_samples_ = 0;
  bool is_at_end_ = false;
};

}  // namespace tonearm::cli
