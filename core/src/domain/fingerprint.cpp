#include "domain/fingerprint.h"

#include <span>

#include "text/base64.h"

namespace tonearm {
namespace {

/// Byte 0: the algorithm; bytes 1 to 3: the number of values.
constexpr std::size_t kHeaderBytes = 4;
constexpr std::uint8_t kAlgorithm = 1;  // CHROMAPRINT_ALGORITHM_TEST2, the default
constexpr unsigned kSmallBits = 3;
constexpr unsigned kRestBits = 5;
/// A step of this many bits or more is written in two parts.
constexpr unsigned kLongStep = 7;

/// Reads small numbers, the lowest bit first.
class BitReader {
 public:
  explicit BitReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::optional<unsigned> take(unsigned bits) {
    if (at_ + bits > bytes_.size() * 8) return std::nullopt;
    unsigned value = 0;
    for (unsigned i = 0; i < bits; ++i, ++at_) value |= (static_cast<unsigned>(bytes_[at_ / 8]) >> (at_ % 8) & 1U) << i;
    return value;
  }
  /// From the next whole byte on.
  std::span<const std::uint8_t> rest() const { return bytes_.subspan((at_ + 7) / 8); }
  bool is_at_end() const { return rest().empty(); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

/// The distances from one bit that a value changes to the next; a 0 ends the value.
std::optional<std::vector<unsigned>> read_steps(std::span<const std::uint8_t> packed, std::size_t values) {
  std::vector<unsigned> steps;
  BitReader small(packed);
  for (std::size_t ended = 0; ended < values;) {
    const auto step = small.take(kSmallBits);
    if (!step) return std::nullopt;
    if (*step == 0) ++ended;
    steps.push_back(*step);
  }
  BitReader rests(small.rest());
  for (unsigned& step : steps) {
    if (step != kLongStep) continue;
    const auto rest = rests.take(kRestBits);
    if (!rest) return std::nullopt;
    step += *rest;
  }
  if (!rests.is_at_end()) return std::nullopt;
  return steps;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> read_fingerprint(std::string_view base64) {
  const auto bytes = text::decode_base64(base64);
  if (!bytes || bytes->size() < kHeaderBytes || bytes->front() != kAlgorithm) return std::nullopt;
  const std::size_t count = std::size_t{(*bytes)[1]} << 16U | std::size_t{(*bytes)[2]} << 8U | (*bytes)[3];
  if (count > kFingerprintValuesMax) return std::nullopt;
  const auto steps = read_steps(std::span(*bytes).subspan(kHeaderBytes), count);
  if (!steps) return std::nullopt;
  std::vector<std::uint32_t> values;
  values.reserve(count);
  std::uint32_t value = 0;  // each is stored as what differs from the one before
  unsigned bit = 0;
  for (const unsigned step : *steps) {
    bit += step;
    if (step == 0) {
      values.push_back(value);
      bit = 0;
      continue;
    }
    if (bit > 32) return std::nullopt;
    value ^= std::uint32_t{1} << (bit - 1);
  }
  return values;
}

}  // namespace tonearm
