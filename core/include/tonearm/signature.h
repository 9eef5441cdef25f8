#pragma once
// Ed25519 signatures (RFC 8032). The core defines what is signed and where the signature is stored; hosts have the
// keys.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tonearm/ports.h"

namespace tonearm {

using PublicKey = std::array<std::uint8_t, 32>;
using Signature = std::array<std::uint8_t, 64>;

/// Returns the first 16 hex digits of the SHA-256 of a public key in DER, which
/// `openssl pkey -pubin -in FILE -outform DER | sha256sum` prints too.
std::string key_id(const PublicKey& key, Hashing& hashing);

/// A private key. Signing is deterministic.
class Signing {
 public:
  virtual ~Signing() = default;
  virtual PublicKey public_key() const = 0;
  virtual Signature sign(std::string_view message) const = 0;
};

/// Who signs a snapshot, and when.
struct SnapshotSigner {
  const Signing* key = nullptr;  // null: nobody. Outlives the object
  std::string signed_on;         // the day, "2026-01-15" (UTC)
};

/// The signer that a snapshot claims. It is unverified until a host checks it with its own key.
struct SignatureClaim {
  PublicKey public_key{};
  Signature signature{};
  std::string message;  // the signed message
};

}  // namespace tonearm
