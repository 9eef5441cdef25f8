#pragma once
// Fingerprints for measuring: of samples, and generated ones for large catalogs.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tonearm::fingerprints {

using Values = std::vector<std::uint32_t>;

/// Returns Chromaprint's values. REQUIRES: one channel of `rate` samples per second.
Values fingerprint_of(std::span<const std::int16_t> samples, int rate);
std::string compressed(const Values& values);

/// Generates realistic fingerprints: values and their transitions are those of `models`.
class Generated {
 public:
  /// REQUIRES: some value has a successor.
  explicit Generated(std::vector<Values> models);

  /// The same number gives the same fingerprint.
  Values make(std::uint64_t number, std::size_t size) const;

 private:
  std::vector<Values> models_;
};

/// Simulates noise: flips each bit with this probability.
Values with_errors(Values values, std::uint64_t seed, unsigned percent);

}  // namespace tonearm::fingerprints
