#pragma once
// Ed25519 keys in PEM files, as `openssl genpkey -algorithm ed25519` writes them: the private key that signs snapshots,
// and the public keys that a server trusts. Immutable, safe for concurrent use.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/signature.h"

using EVP_PKEY = struct evp_pkey_st;  // NOLINT(*-identifier-naming): OpenSSL's

namespace tonearm::native {

struct FreeKey {
  void operator()(EVP_PKEY* key) const;
};
using KeyHandle = std::unique_ptr<EVP_PKEY, FreeKey>;

/// Returns the id of a key (tonearm/signature.h).
std::string key_id(const PublicKey& key);

class SigningKey final : public Signing {
 public:
  /// Reads a private key in PKCS#8 without a passphrase. Throws std::runtime_error, with the path, if the file contains
  /// anything else or if every user can open it (PROGRAM-10).
  explicit SigningKey(const std::string& path);

  PublicKey public_key() const override { return public_key_; }
  Signature sign(std::string_view message) const override;

 private:
  KeyHandle key_;
  PublicKey public_key_{};
};

/// Returns whether the signature matches the claim's own key. That proves that nothing was altered, not who signed.
bool is_signed_by_own_key(const SignatureClaim& claim);
/// Returns why a snapshot with this claim was altered, or nothing. A snapshot may be unsigned.
std::optional<std::string> alteration(const std::optional<SignatureClaim>& claim);

/// The public keys of trusted signers.
class TrustedKeys {
 public:
  /// Reads one or more public keys, so that a new key can be added before the old one is removed. Throws
  /// std::runtime_error, with the path, if the file contains anything else or if every user can write to it.
  explicit TrustedKeys(const std::string& path);

  /// Returns the key with an id; empty: none of them has it.
  std::optional<PublicKey> find(std::string_view id) const;
  /// Returns why a snapshot with this claim is not trusted, or nothing if one of the keys signed it.
  std::optional<std::string> refusal(const std::optional<SignatureClaim>& claim) const;

 private:
  std::vector<PublicKey> keys_;
  std::vector<std::string> ids_;  // of the keys
};

}  // namespace tonearm::native
