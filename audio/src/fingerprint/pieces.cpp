#include "fingerprint/pieces.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "domain/fingerprint.h"
#include "fingerprint/fingerprint.h"
#include "fingerprint/tonal_filter.h"

namespace tonearm::audio {
namespace {

constexpr std::size_t kWindow = std::size_t{120} * kTonalFilterRate;
constexpr std::size_t kStep = std::size_t{90} * kTonalFilterRate;
constexpr std::size_t kShortest = std::size_t{3} * kTonalFilterRate;
// CREDIT-25
constexpr std::size_t kPieceBytesMax = 8'192;

/// Whether 16 bits, which Chromaprint reads, represent all samples as 0.
bool is_silent(std::span<const float> samples) {
  return std::all_of(samples.begin(), samples.end(), [](float sample) { return std::abs(sample) < 0.5F / 32'768; });
}

/// Halves a fingerprint until its text is short enough.
void append_pieces(double begin_s, std::span<const std::uint32_t> values, std::vector<Piece>& pieces) {
  if (values.empty()) return;
  if (values.size() <= kFingerprintValuesMax) {
    if (auto text = compressed_fingerprint(values); text.size() <= kPieceBytesMax) {
      pieces.push_back({begin_s, std::move(text)});
      return;
    }
  }
  const auto half = values.size() / 2;
  append_pieces(begin_s, values.first(half), pieces);
  append_pieces(begin_s + static_cast<double>(half) * kFingerprintValueSeconds, values.subspan(half), pieces);
}

}  // namespace

std::vector<Piece> pieces_of(double begin_s, std::span<const float> samples) {
  if (samples.size() < kShortest || is_silent(samples)) return {};
  const auto tones = sustained_tones(samples);
  std::vector<Piece> pieces;
  for (const auto& sound : {samples, std::span<const float>(tones)}) {
    if (is_silent(sound)) continue;
    Fingerprinter fingerprinter;
    fingerprinter.begin({.sample_rate = kTonalFilterRate, .channels = 1});
    fingerprinter.add(sound);
    for (auto& piece : pieces_of_fingerprint(begin_s, fingerprinter.finish())) pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::vector<Piece> pieces_of_fingerprint(double begin_s, std::span<const std::uint32_t> values) {
  std::vector<Piece> pieces;
  append_pieces(begin_s, values, pieces);
  return pieces;
}

SoundWindow::SoundWindow() : samples_(kWindow) {}

void SoundWindow::add(std::size_t count) { size_ += std::min(count, space().size()); }

void SoundWindow::advance() {
  std::copy(samples_.begin() + kStep, samples_.end(), samples_.begin());
  size_ = samples_.size() - kStep;
  overlap_ = size_;
  begin_ += kStep;
}

double SoundWindow::begin_s() const { return static_cast<double>(begin_) / kTonalFilterRate; }

}  // namespace tonearm::audio
