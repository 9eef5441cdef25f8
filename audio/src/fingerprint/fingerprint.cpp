#include "fingerprint/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tonearm/result.h"

namespace tonearm::audio {

namespace {

constexpr std::uint64_t kFingerprintSeconds = 15 * 60;

void check(int worked) {
  if (worked != 1) throw Failure("Chromaprint failed");
}

}  // namespace

Fingerprinter::Fingerprinter() : context_(chromaprint_new(CHROMAPRINT_ALGORITHM_TEST2), chromaprint_free) {
  if (!context_) throw Failure("Chromaprint does not start");
}

void Fingerprinter::begin(Format format) {
  channels_ = format.channels;
  samples_left_ = kFingerprintSeconds * format.sample_rate * channels_;
  check(chromaprint_start(context_.get(), static_cast<int>(format.sample_rate), static_cast<int>(channels_)));
}

void Fingerprinter::add(std::span<const float> block) {
  block = block.first(static_cast<std::size_t>(std::min<std::uint64_t>(block.size(), samples_left_)));
  if (block.empty()) return;
  samples_left_ -= block.size();
  buffer_.resize(block.size());
  std::transform(block.begin(), block.end(), buffer_.begin(), [](float sample) {
    return static_cast<std::int16_t>(std::lround(std::clamp(sample * 32'768, -32'768.F, 32'767.F)));
  });
  check(chromaprint_feed(context_.get(), buffer_.data(), static_cast<int>(buffer_.size())));
}

std::vector<std::uint32_t> Fingerprinter::finish() {
  check(chromaprint_finish(context_.get()));
  std::uint32_t* values = nullptr;
  int size = 0;
  // Chromaprint fails if the recording is too short.
  if (chromaprint_get_raw_fingerprint(context_.get(), &values, &size) != 1 || values == nullptr) return {};
  const std::unique_ptr<std::uint32_t, decltype(&chromaprint_dealloc)> owner(values, chromaprint_dealloc);
  return {values, values + std::max(size, 0)};
}

std::string compressed_fingerprint(std::span<const std::uint32_t> values) {
  char* text = nullptr;
  int size = 0;
  check(chromaprint_encode_fingerprint(values.data(), static_cast<int>(values.size()), CHROMAPRINT_ALGORITHM_TEST2,
                                       &text, &size, 1));
  const std::unique_ptr<char, decltype(&chromaprint_dealloc)> owner(text, chromaprint_dealloc);
  return {text, static_cast<std::size_t>(std::max(size, 0))};
}

std::string fingerprint_version() { return fmt::format("chromaprint-{}", chromaprint_get_version()); }

}  // namespace tonearm::audio
