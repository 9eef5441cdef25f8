#include "system/system_ports.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/rand.h>

#include <array>
#include <chrono>
#include <stdexcept>
#include <string>

namespace tonearm::native {

std::int64_t SystemClock::now_ms() {
  using std::chrono::milliseconds;
  using std::chrono::system_clock;
  return std::chrono::duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

void SystemRandom::fill(std::span<std::uint8_t> out) {
  if (RAND_bytes(out.data(), static_cast<int>(out.size())) != 1) throw std::runtime_error("no random bytes");
}

void OpensslHashing::Free::operator()(EVP_MD* digest) const { EVP_MD_free(digest); }
void OpensslHashing::Free::operator()(EVP_MAC_CTX* context) const { EVP_MAC_CTX_free(context); }

OpensslHashing::OpensslHashing() : sha256_(EVP_MD_fetch(nullptr, "SHA256", nullptr)) {
  EVP_MAC* hmac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  if (!sha256_ || hmac == nullptr) throw std::runtime_error("OpenSSL has no SHA-256 or no HMAC");
  hmac_.reset(EVP_MAC_CTX_new(hmac));
  EVP_MAC_free(hmac);
  std::string name = "SHA256";
  const std::array parameters{OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name.data(), 0),
                              OSSL_PARAM_construct_end()};
  if (!hmac_ || EVP_MAC_CTX_set_params(hmac_.get(), parameters.data()) != 1) {
    throw std::runtime_error("HMAC-SHA-256 is not available");
  }
}

Sha256 OpensslHashing::sha256(std::string_view data) {
  // Reused, because making a context takes longer than hashing a key.
  thread_local const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  Sha256 digest;
  if (!context || EVP_DigestInit_ex2(context.get(), sha256_.get(), nullptr) != 1 ||
      EVP_DigestUpdate(context.get(), data.data(), data.size()) != 1 ||
      EVP_DigestFinal_ex(context.get(), digest.data(), nullptr) != 1) {
    throw std::runtime_error("SHA-256 failed");
  }
  return digest;
}

Sha256 OpensslHashing::hmac_sha256(std::string_view key, std::string_view data) {
  const auto bytes = [](std::string_view text) {
    return static_cast<const unsigned char*>(static_cast<const void*>(text.data()));
  };
  Sha256 digest;
  std::size_t size = 0;
  const std::unique_ptr<EVP_MAC_CTX, Free> context(EVP_MAC_CTX_dup(hmac_.get()));
  if (!context || EVP_MAC_init(context.get(), bytes(key), key.size(), nullptr) != 1 ||
      EVP_MAC_update(context.get(), bytes(data), data.size()) != 1 ||
      EVP_MAC_final(context.get(), digest.data(), &size, digest.size()) != 1) {
    throw std::runtime_error("HMAC-SHA-256 failed");
  }
  return digest;
}

}  // namespace tonearm::native
