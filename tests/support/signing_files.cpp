#include "signing_files.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <array>
#include <memory>
#include <stdexcept>

namespace tonearm::test {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

Key key_of(char letter) {
  std::array<unsigned char, 32> seed{};
  seed.fill(static_cast<unsigned char>(letter));
  Key key(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()), &EVP_PKEY_free);
  if (!key) throw std::runtime_error("OpenSSL makes no key");
  return key;
}

template <class Write>
std::string pem_of(const Write& write) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), &BIO_free);
  if (write(bio.get()) != 1) throw std::runtime_error("OpenSSL writes no key");
  char* text = nullptr;
  const auto size = BIO_get_mem_data(bio.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

std::string private_pem_of(const Key& key) {
  return pem_of(
      [&](BIO* bio) { return PEM_write_bio_PKCS8PrivateKey(bio, key.get(), nullptr, nullptr, 0, nullptr, nullptr); });
}

}  // namespace

std::string private_pem(char letter) { return private_pem_of(key_of(letter)); }

std::string public_pem(char letter) {
  const Key key = key_of(letter);
  return pem_of([&](BIO* bio) { return PEM_write_bio_PUBKEY(bio, key.get()); });
}

std::string other_private_pem() { return private_pem_of(Key(EVP_EC_gen("P-256"), &EVP_PKEY_free)); }

}  // namespace tonearm::test
