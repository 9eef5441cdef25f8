#include "film_sound.h"

#include <algorithm>
#include <iterator>

namespace tonearm::audio {
namespace {

constexpr std::size_t kSilentFrames = 16'384;

}  // namespace

bool FilmSound::begin(std::uint32_t sample_rate, std::uint32_t channels) {
  processor_.Flush();
  channels_ = channels;
  return processor_.Reset(static_cast<int>(sample_rate), static_cast<int>(channels));
}

std::int16_t* FilmSound::input(std::size_t frames) {
  input_.resize(frames * channels_);
  return input_.data();
}

void FilmSound::add() { processor_.Consume(input_.data(), static_cast<int>(input_.size())); }

void FilmSound::add_silence(std::size_t frames) {
  while (frames > 0) {
    const auto some = std::min(frames, kSilentFrames);
    std::fill_n(input(some), some * channels_, std::int16_t{0});
    add();
    frames -= some;
  }
}

void FilmSound::end() {
  processor_.Flush();
  if (window_.has_new_sound()) fingerprint();
}

void FilmSound::Consume(const std::int16_t* samples, int count) {
  auto rest = std::span(samples, static_cast<std::size_t>(count));
  while (!rest.empty()) {
    const auto space = window_.space();
    const auto some = rest.first(std::min(rest.size(), space.size()));
    std::transform(some.begin(), some.end(), space.begin(),
                   [](std::int16_t sample) { return static_cast<float>(sample) / 32'768; });
    window_.add(some.size());
    rest = rest.subspan(some.size());
    if (window_.is_full()) {
      fingerprint();
      window_.advance();
    }
  }
}

void FilmSound::fingerprint() {
  auto found = pieces_of(window_.begin_s(), window_.samples());
  std::move(found.begin(), found.end(), std::back_inserter(pieces_));
}

}  // namespace tonearm::audio
