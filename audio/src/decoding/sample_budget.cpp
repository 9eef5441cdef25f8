#include "decoding/sample_budget.h"

#include <fmt/format.h>

namespace tonearm::audio {

SampleBudget::SampleBudget(std::uint64_t file_bytes, Format format)
    : file_bytes_(file_bytes), longest_(kSecondsMax * format.sample_rate * format.channels) {}

std::optional<std::string> SampleBudget::add(std::uint64_t samples) {
  used_ += samples;
  if (used_ > longest_) return fmt::format("it is longer than {} hours", kSecondsMax / 3600);
  if (used_ > kFreeSamples && (used_ - kFreeSamples) / kSamplesPerByte > file_bytes_) {
    return fmt::format("its {} bytes decode to too many samples: more than {}", file_bytes_,
                       kFreeSamples + file_bytes_ * kSamplesPerByte);
  }
  return std::nullopt;
}

}  // namespace tonearm::audio
