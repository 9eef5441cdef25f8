// Implements the port for signing. The host decides where the private key is stored.
#include <tonearm/signature.h>

class NoKey final : public tonearm::Signing {
 public:
  tonearm::PublicKey public_key() const override { return {1, 2, 3}; }
  tonearm::Signature sign(std::string_view message) const override {
    tonearm::Signature signature{};
    signature[0] = static_cast<std::uint8_t>(message.size());
    return signature;
  }
};

int main() {
  const NoKey key;
  const tonearm::SignatureClaim claim{key.public_key(), key.sign("snapshot"), "snapshot"};
  return claim.signature == key.sign(claim.message) ? 0 : 1;
}
