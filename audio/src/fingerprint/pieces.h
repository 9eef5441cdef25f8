#pragma once
// Fingerprints the sound of a film in pieces that overlap (CLI-28, WEB-49), natively and in the page.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tonearm::audio {

/// A fingerprint of a part of a film, as `POST /v1/credits/recognize` takes it.
struct Piece {
  double begin_s = 0;       // from the beginning of the film
  std::string fingerprint;  // compressed, in base64
};

/// Returns the pieces of a window: one of its sound, for music with short notes, and one of its sustained tones, for
/// music under speech. More if a fingerprint is longer than the API allows; none if it is silent or shorter than three
/// seconds. `samples` are mono at `kTonalFilterRate`. Thread-safe. Throws Failure if Chromaprint is not installed.
std::vector<Piece> pieces_of(double begin_s, std::span<const float> samples);

/// Returns the pieces of a raw fingerprint, each at most 1,024 values and 8,192 characters long.
std::vector<Piece> pieces_of_fingerprint(double begin_s, std::span<const std::uint32_t> values);

/// Cuts mono sound at `kTonalFilterRate` into windows of two minutes, each 90 seconds after the last. Not thread-safe.
class SoundWindow {
 public:
  SoundWindow();

  /// Returns the part of the window that has no sound yet. Write samples at its beginning, then call `add`.
  std::span<float> space() { return std::span(samples_).subspan(size_); }
  void add(std::size_t count);
  /// Begins the next window with the end of this one. REQUIRES: is_full()
  void advance();

  bool is_full() const { return size_ == samples_.size(); }
  /// Returns whether the window has sound that the last one does not have.
  bool has_new_sound() const { return size_ > overlap_; }
  /// Returns the beginning of the window, from the beginning of the film.
  double begin_s() const;
  std::span<const float> samples() const { return std::span(samples_).first(size_); }

 private:
  std::vector<float> samples_;
  std::size_t size_ = 0;     // samples that are written
  std::size_t overlap_ = 0;  // those of the last window
  std::size_t begin_ = 0;    // in samples
};

}  // namespace tonearm::audio
