#include "films/piece_reader.h"

#include <algorithm>
#include <iterator>

#include "fingerprint/tonal_filter.h"
#include "system/threads.h"

namespace tonearm::cli {
namespace {

constexpr std::size_t kWindowsAtOnce = 8;

}  // namespace

std::vector<audio::Piece> PieceReader::next() {
  std::vector<Window> windows;
  while (windows.size() < kWindowsAtOnce && !is_at_end_) read_window(windows);
  std::vector<std::vector<audio::Piece>> found(windows.size());
  native::in_blocks(windows.size(), 1, native::processors(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) found[i] = fingerprint_(windows[i].begin_s, windows[i].samples);
  });
  std::vector<audio::Piece> pieces;
  for (auto& some : found) std::ranges::move(some, std::back_inserter(pieces));
  return pieces;
}

double PieceReader::read_s() const { return static_cast<double>(read_samples_) / audio::kTonalFilterRate; }

void PieceReader::read_window(std::vector<Window>& windows) {
  const auto count = read_(window_.space());
  window_.add(count);
  read_samples_ += count;
  is_at_end_ = !window_.is_full();
  const auto samples = window_.samples();
  if (window_.has_new_sound()) windows.push_back({window_.begin_s(), {samples.begin(), samples.end()}});
  if (!is_at_end_) window_.advance();
}

}  // namespace tonearm::cli
