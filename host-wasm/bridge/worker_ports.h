#pragma once
// The core's ports, implemented with the worker's imports. Single-threaded.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "imports.h"
#include "tonearm/ports.h"
#include "tonearm/shared_answers.h"
#include "tonearm/unwritten_counts.h"

namespace tonearm::wasm {

class WorkerClock final : public Clock {
 public:
  std::int64_t now_ms() override { return static_cast<std::int64_t>(host_now_ms()); }
};

class WorkerRandom final : public Random {
 public:
  void fill(std::span<std::uint8_t> out) override { host_random(out.data(), out.size()); }
};

class WorkerHashing final : public Hashing {
 public:
  Sha256 sha256(std::string_view data) override {
    Sha256 digest;
    host_sha256(data.data(), data.size(), digest.data());
    return digest;
  }
  Sha256 hmac_sha256(std::string_view key, std::string_view data) override {
    Sha256 digest;
    host_hmac_sha256(key.data(), key.size(), data.data(), data.size(), digest.data());
    return digest;
  }
};

class WorkerAnswers final : public SharedAnswers {
 public:
  std::optional<std::string> find(std::string_view key) override {
    const std::int32_t size = host_find_answer(key.data(), key.size());
    if (size < 0) return std::nullopt;
    return take_result(static_cast<std::size_t>(size));
  }
  void store(std::string_view key, std::string_view entry) override {
    host_store_answer(key.data(), key.size(), entry.data(), entry.size());
  }
};

class WorkerCounts final : public UnwrittenCounts {
 public:
  std::string read() override { return take_result(static_cast<std::size_t>(host_read_counts())); }
  void replace(std::string_view counts) override { host_replace_counts(counts.data(), counts.size()); }
};

}  // namespace tonearm::wasm
