#include "system/signing_keys.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <algorithm>
#include <stdexcept>

#include "files/small_file.h"
#include "system/system_ports.h"

namespace tonearm::native {
namespace {

constexpr std::size_t kTrustedMax = 16;
constexpr const char* kNoPublicKey = " is not a public key in PEM format";

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

std::unique_ptr<BIO, FreeBio> reader_of(const std::string& text) {
  std::unique_ptr<BIO, FreeBio> bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
  if (!bio) throw std::runtime_error("OpenSSL has no memory left");
  return bio;
}

/// Refuses to prompt: a service has no user to ask.
int no_passphrase(char* /*out*/, int /*size*/, int /*writing*/, void* /*nothing*/) { return -1; }

struct FreeBytes {
  template <class Byte>
  void operator()(Byte* bytes) const {
    OPENSSL_free(bytes);
  }
};

/// Returns the DER of the next block, or nothing at the end. Skips text between blocks. Throws if a block is truncated
/// or is not a public key.
std::optional<std::string> next_block(BIO* reader, const std::string& path) {
  char* name = nullptr;
  char* header = nullptr;
  unsigned char* data = nullptr;
  long size = 0;
  ERR_clear_error();
  if (PEM_read_bio(reader, &name, &header, &data, &size) != 1) {
    const auto error = ERR_peek_last_error();
    ERR_clear_error();
    if (ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE) return std::nullopt;
    throw std::runtime_error(path + kNoPublicKey);
  }
  const std::unique_ptr<char, FreeBytes> own_name(name);
  const std::unique_ptr<char, FreeBytes> own_header(header);
  const std::unique_ptr<unsigned char, FreeBytes> own_data(data);
  if (std::string_view(name) != PEM_STRING_PUBLIC) throw std::runtime_error(path + kNoPublicKey);
  return std::string(data, data + size);
}

/// Throws if it is not an Ed25519 key.
PublicKey public_part(const EVP_PKEY* key, const std::string& path) {
  if (EVP_PKEY_get_id(key) != EVP_PKEY_ED25519) {
    throw std::runtime_error(path +
                             " contains a key of another type: an Ed25519 key is required, as made by openssl genpkey "
                             "-algorithm ed25519");
  }
  PublicKey bytes;
  std::size_t size = bytes.size();
  if (EVP_PKEY_get_raw_public_key(key, bytes.data(), &size) != 1 || size != bytes.size() || bytes == PublicKey{}) {
    throw std::runtime_error(path + " contains a key that cannot be used");
  }
  return bytes;
}

bool is_signature_of(const PublicKey& key, const SignatureClaim& claim) {
  const KeyHandle handle(EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key.data(), key.size()));
  const std::unique_ptr<EVP_MD_CTX, FreeContext> context(EVP_MD_CTX_new());
  const auto* message = static_cast<const unsigned char*>(static_cast<const void*>(claim.message.data()));
  const bool is_valid =
      handle && context && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, handle.get()) == 1 &&
      EVP_DigestVerify(context.get(), claim.signature.data(), claim.signature.size(), message, claim.message.size()) ==
          1;
  ERR_clear_error();
  return is_valid;
}

}  // namespace

void FreeKey::operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }

std::string key_id(const PublicKey& key) {
  OpensslHashing hashing;
  return tonearm::key_id(key, hashing);
}

SigningKey::SigningKey(const std::string& path) {
  const std::string text = read_secret(path) + "\n";
  const auto reader = reader_of(text);
  ERR_clear_error();
  key_.reset(PEM_read_bio_PrivateKey(reader.get(), nullptr, no_passphrase, nullptr));
  ERR_clear_error();
  if (!key_) throw std::runtime_error(path + " contains no private key in PEM format, or one with a passphrase");
  public_key_ = public_part(key_.get(), path);
  const KeyHandle second(PEM_read_bio_PrivateKey(reader.get(), nullptr, no_passphrase, nullptr));
  ERR_clear_error();
  if (second) throw std::runtime_error(path + " contains more than one private key");
}

Signature SigningKey::sign(std::string_view message) const {
  const std::unique_ptr<EVP_MD_CTX, FreeContext> context(EVP_MD_CTX_new());
  Signature signature;
  std::size_t size = signature.size();
  const auto* bytes = static_cast<const unsigned char*>(static_cast<const void*>(message.data()));
  if (!context || EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) != 1 ||
      EVP_DigestSign(context.get(), signature.data(), &size, bytes, message.size()) != 1 || size != signature.size()) {
    throw std::runtime_error("OpenSSL cannot sign");
  }
  return signature;
}

bool is_signed_by_own_key(const SignatureClaim& claim) { return is_signature_of(claim.public_key, claim); }

std::optional<std::string> alteration(const std::optional<SignatureClaim>& claim) {
  if (!claim || is_signed_by_own_key(*claim)) return std::nullopt;
  return "its signature does not match its content: the file was altered, or the signature belongs to another file";
}

TrustedKeys::TrustedKeys(const std::string& path) {
  const std::string text = read_trusted(path) + "\n";
  if (text.find("PRIVATE KEY-----") != std::string::npos) {
    throw std::runtime_error(path +
                             " contains a private key, which only the builder may have; make the public key with "
                             "openssl pkey -in " +
                             path + " -pubout");
  }
  const auto reader = reader_of(text);
  while (const auto block = next_block(reader.get(), path)) {
    const auto* at = static_cast<const unsigned char*>(static_cast<const void*>(block->data()));
    const auto* const end = at + block->size();
    const KeyHandle key(d2i_PUBKEY(nullptr, &at, static_cast<long>(block->size())));
    ERR_clear_error();
    if (!key || at != end) throw std::runtime_error(path + kNoPublicKey);
    keys_.push_back(public_part(key.get(), path));
    ids_.push_back(key_id(keys_.back()));
    if (keys_.size() > kTrustedMax) throw std::runtime_error(path + " contains more than 16 keys");
  }
  if (keys_.empty()) throw std::runtime_error(path + kNoPublicKey);
}

std::optional<PublicKey> TrustedKeys::find(std::string_view id) const {
  const auto found = std::find(ids_.begin(), ids_.end(), id);
  if (found == ids_.end()) return std::nullopt;
  return keys_[static_cast<std::size_t>(found - ids_.begin())];
}

std::optional<std::string> TrustedKeys::refusal(const std::optional<SignatureClaim>& claim) const {
  if (!claim) return "it is not signed, and only signed snapshots are trusted here";
  if (std::find(keys_.begin(), keys_.end(), claim->public_key) == keys_.end()) {
    return "it is signed with the key " + key_id(claim->public_key) + ", which is not trusted here";
  }
  return alteration(claim);
}

}  // namespace tonearm::native
