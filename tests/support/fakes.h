#pragma once
// Deterministic fakes of the core's ports: a manual clock, seeded random bytes, and memory for counts.

#include <string>
#include <string_view>

#include "tonearm/ports.h"
#include "tonearm/unwritten_counts.h"

namespace tonearm::test {

class FakeClock final : public Clock {
 public:
  /// 2026-01-15T12:00:00Z: in the middle of a month and of a day, at the start of a minute.
  static constexpr std::int64_t kStartMs = 1'768'478'400'000;

  std::int64_t now_ms() override { return now_ms_; }
  void advance_ms(std::int64_t by) { now_ms_ += by; }
  void set_ms(std::int64_t now) { now_ms_ = now; }

 private:
  std::int64_t now_ms_ = kStartMs;
};

/// SplitMix64: the same bytes in every run and on every host.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed) : state_(seed) {}

  void fill(std::span<std::uint8_t> out) override {
    for (auto& byte : out) byte = static_cast<std::uint8_t>(next() >> 56U);
  }

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

  /// Uniform in 0..bound-1. REQUIRES: bound > 0.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

class CountsInMemory final : public UnwrittenCounts {
 public:
  std::string read() override { return bytes; }
  void replace(std::string_view counts) override { bytes = counts; }

  std::string bytes;
};

}  // namespace tonearm::test
