#pragma once
// The core's ports on a server: the system's clock, its random source, and OpenSSL's hashing.

#include "tonearm/ports.h"

namespace tonearm::native {

class SystemClock final : public Clock {
 public:
  std::int64_t now_ms() override;
};

class SystemRandom final : public Random {
 public:
  void fill(std::span<std::uint8_t> out) override;
};

class OpensslHashing final : public Hashing {
 public:
  Sha256 sha256(std::string_view data) override;
  Sha256 hmac_sha256(std::string_view key, std::string_view data) override;
};

}  // namespace tonearm::native
