#include "domain/fingerprint.h"

#include <span>

#include "text/base64.h"

namespace tonearm {
namespace {

/// Byte 0: the algorithm; bytes 1 to 3: the number of values.
constexpr std::size_t kHeaderBytes = 4;
constexpr std::uint8_t kAlgorithm = 1;  // CHROMAPRINT_ALGORITHM_TEST2, the default
constexpr unsigned kNormalBits = 3;
constexpr unsigned kExceptionBits = 5;
/// A step of this many bits or more has its remainder in the exception section.
constexpr unsigned kExceptionStep = 7;

/// Reads small numbers, lowest bit first.
class BitReader {
 public:
  explicit BitReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::optional<unsigned> read(unsigned bits) {
    if (at_ + bits > bytes_.size() * 8) return std::nullopt;
    unsigned value = 0;
    for (unsigned i = 0; i < bits; ++i, ++at_) value |= (static_cast<unsigned>(bytes_[at_ / 8]) >> (at_ % 8) & 1U) << i;
    return value;
  }
  /// Returns the bytes after the current one.
  std::span<const std::uint8_t> remaining() const { return bytes_.subspan((at_ + 7) / 8); }
  bool is_at_end() const { return remaining().empty(); }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

/// Reads the distances between the bits that a value changes; a 0 ends the value.
std::optional<std::vector<unsigned>> read_steps(std::span<const std::uint8_t> packed, std::size_t values) {
  std::vector<unsigned> steps;
  BitReader normal(packed);
  for (std::size_t finished = 0; finished < values;) {
    const auto step = normal.read(kNormalBits);
    if (!step) return std::nullopt;
    if (*step == 0) ++finished;
    steps.push_back(*step);
  }
  BitReader exceptions(normal.remaining());
  for (unsigned& step : steps) {
    if (step != kExceptionStep) continue;
    const auto rest = exceptions.read(kExceptionBits);
    if (!rest) return std::nullopt;
    step += *rest;
  }
  if (!exceptions.is_at_end()) return std::nullopt;
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
  std::uint32_t value = 0;  // each value is stored as its difference (XOR) from the previous one
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
