#pragma once
// The core's ports on a server: the system's clock and random source, and OpenSSL's hashing.

#include <memory>

#include "tonearm/ports.h"

// OpenSSL's types, by the names that its own headers declare.
struct evp_md_st;
struct evp_mac_ctx_st;

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
  /// Looks up the algorithms once, because a lookup takes longer than hashing a key. Throws std::runtime_error.
  OpensslHashing();
  Sha256 sha256(std::string_view data) override;
  Sha256 hmac_sha256(std::string_view key, std::string_view data) override;

 private:
  struct Free {
    void operator()(evp_md_st* digest) const;
    void operator()(evp_mac_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_st, Free> sha256_;
  std::unique_ptr<evp_mac_ctx_st, Free> hmac_;  // without a key; copied for each call
};

}  // namespace tonearm::native
