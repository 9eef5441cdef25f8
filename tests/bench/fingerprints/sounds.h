#pragma once
// Fingerprints for measuring: of samples, and generated ones for large catalogs.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tonearm::fingerprints {

using Values = std::vector<std::uint32_t>;

/// As Chromaprint prints it. REQUIRES: one channel of `rate` samples a second.
Values fingerprint_of(std::span<const std::int16_t> samples, int rate);
std::string compressed(const Values& values);

/// Fingerprints that behave as real ones: values are those that occur in `models`, and change as those do.
class Generated {
 public:
  /// REQUIRES: some value has one after it.
  explicit Generated(std::vector<Values> models);

  /// The same number gives the same fingerprint.
  Values make(std::uint64_t number, std::size_t size) const;

 private:
  std::vector<Values> models_;
};

/// The same audio heard through noise: each bit is another one with this probability.
Values with_errors(Values values, std::uint64_t seed, unsigned percent);

}  // namespace tonearm::fingerprints
