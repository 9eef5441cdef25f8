#pragma once
// Ed25519 keys as files (PEM, as `openssl genpkey -algorithm ed25519` writes them): the private one that signs
// snapshots, and the public ones by which a server trusts them. Constant, safe for concurrent use.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tonearm/signature.h"

using EVP_PKEY = struct evp_pkey_st;  // NOLINT(*-identifier-naming): OpenSSL's

namespace tonearm::native {

struct FreeKey {
  void operator()(EVP_PKEY* key) const;
};
using KeyHandle = std::unique_ptr<EVP_PKEY, FreeKey>;

/// The first 16 hex digits of the SHA-256 of a public key in DER, which
/// `openssl pkey -pubin -in FILE -outform DER | sha256sum` prints too.
std::string key_id(const PublicKey& key);

class SigningKey final : public Signing {
 public:
  /// A private key in PKCS#8, without a passphrase. Throws std::runtime_error, with the path, where the file holds
  /// anything else, and where everybody can open it (PROGRAM-10).
  explicit SigningKey(const std::string& path);

  PublicKey public_key() const override { return public_key_; }
  Signature sign(std::string_view message) const override;

 private:
  KeyHandle key_;
  PublicKey public_key_{};
};

/// True where the claim's signature is that of the claim's own key: says that nothing was altered since, not who
/// signed.
bool holds_in_itself(const SignatureClaim& claim);

/// The keys of those whose snapshots are trusted.
class TrustedKeys {
 public:
  /// One public key or several, one after the other, so that one can replace another. Throws std::runtime_error, with
  /// the path, where the file holds anything else, and where everybody can write to it.
  explicit TrustedKeys(const std::string& path);

  /// Why a snapshot with this claim is not to be trusted; nothing where one of the keys signed it.
  std::optional<std::string> refusal(const std::optional<SignatureClaim>& claim) const;

 private:
  std::vector<PublicKey> keys_;
};

}  // namespace tonearm::native
