#include "films/pieces.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>

#include "domain/fingerprint.h"
#include "fingerprint/fingerprint.h"
#include "fingerprint/tonal_filter.h"
#include "system/threads.h"

namespace tonearm::cli {
namespace {

constexpr std::size_t kWindow = std::size_t{120} * audio::kTonalFilterRate;
constexpr std::size_t kStep = std::size_t{90} * audio::kTonalFilterRate;
constexpr std::size_t kShortest = std::size_t{3} * audio::kTonalFilterRate;
constexpr std::size_t kWindowsAtOnce = 8;
// CREDIT-25
constexpr std::size_t kPieceBytesMax = 8'192;

/// Whether 16 bits, which Chromaprint reads, represent all samples as 0.
bool is_silent(std::span<const float> samples) {
  return std::ranges::all_of(samples, [](float sample) { return std::abs(sample) < 0.5F / 32'768; });
}

/// Halves a fingerprint until its text is short enough.
void append_pieces(double begin_s, std::span<const std::uint32_t> values, std::vector<Piece>& pieces) {
  if (values.empty()) return;
  if (values.size() <= kFingerprintValuesMax) {
    if (auto text = audio::compressed_fingerprint(values); text.size() <= kPieceBytesMax) {
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
  const auto tones = audio::sustained_tones(samples);
  std::vector<Piece> pieces;
  for (const auto& sound : {samples, std::span<const float>(tones)}) {
    if (is_silent(sound)) continue;
    audio::Fingerprinter fingerprinter;
    fingerprinter.begin({.sample_rate = audio::kTonalFilterRate, .channels = 1});
    fingerprinter.add(sound);
    std::ranges::move(pieces_of_fingerprint(begin_s, fingerprinter.finish()), std::back_inserter(pieces));
  }
  return pieces;
}

std::vector<Piece> pieces_of_fingerprint(double begin_s, std::span<const std::uint32_t> values) {
  std::vector<Piece> pieces;
  append_pieces(begin_s, values, pieces);
  return pieces;
}

std::vector<Piece> PieceReader::next() {
  std::vector<Window> windows;
  while (windows.size() < kWindowsAtOnce && !is_at_end_) read_window(windows);
  std::vector<std::vector<Piece>> found(windows.size());
  native::in_blocks(windows.size(), 1, native::processors(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) found[i] = fingerprint_(windows[i].begin_s, windows[i].samples);
  });
  std::vector<Piece> pieces;
  for (auto& some : found) std::ranges::move(some, std::back_inserter(pieces));
  return pieces;
}

double PieceReader::read_s() const { return static_cast<double>(read_samples_) / audio::kTonalFilterRate; }

void PieceReader::read_window(std::vector<Window>& windows) {
  auto samples = std::move(overlap_);
  const auto known = samples.size();
  samples.resize(kWindow);
  const auto count = read_(std::span(samples).subspan(known));
  read_samples_ += count;
  samples.resize(known + count);
  is_at_end_ = samples.size() < kWindow;
  if (!is_at_end_) overlap_.assign(samples.begin() + kStep, samples.end());
  // What overlaps was in the last window.
  if (count > 0) windows.push_back({static_cast<double>(begin_) / audio::kTonalFilterRate, std::move(samples)});
  begin_ += kStep;
}

}  // namespace tonearm::cli
