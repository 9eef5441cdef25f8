#pragma once
// Ed25519 signatures (RFC 8032). The core says what is signed and where the signature lies; hosts hold the keys.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tonearm {

using PublicKey = std::array<std::uint8_t, 32>;
using Signature = std::array<std::uint8_t, 64>;

/// A private key. The same message gives the same signature.
class Signing {
 public:
  virtual ~Signing() = default;
  virtual PublicKey public_key() const = 0;
  virtual Signature sign(std::string_view message) const = 0;
};

/// What a snapshot says of who signed it: a claim until a host has checked it with a key of its own.
struct SignatureClaim {
  PublicKey public_key{};
  Signature signature{};
  std::string message;  // what the signature is over
};

}  // namespace tonearm
