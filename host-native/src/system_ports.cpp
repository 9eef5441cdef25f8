#include "system_ports.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <chrono>
#include <stdexcept>

namespace tonearm::native {

std::int64_t SystemClock::now_ms() {
  using std::chrono::milliseconds;
  using std::chrono::system_clock;
  return std::chrono::duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

void SystemRandom::fill(std::span<std::uint8_t> out) {
  if (RAND_bytes(out.data(), static_cast<int>(out.size())) != 1) throw std::runtime_error("no random bytes");
}

Sha256 OpensslHashing::sha256(std::string_view data) {
  Sha256 digest;
  if (EVP_Digest(data.data(), data.size(), digest.data(), nullptr, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("SHA-256 failed");
  }
  return digest;
}

Sha256 OpensslHashing::hmac_sha256(std::string_view key, std::string_view data) {
  Sha256 digest;
  const auto* bytes = static_cast<const unsigned char*>(static_cast<const void*>(data.data()));
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes, data.size(), digest.data(), nullptr) ==
      nullptr) {
    throw std::runtime_error("HMAC-SHA-256 failed");
  }
  return digest;
}

}  // namespace tonearm::native
