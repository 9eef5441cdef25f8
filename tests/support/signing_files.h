#pragma once
// Ed25519 keys for tests, as PEM files that openssl writes. One letter determines a key.

#include <string>

namespace tonearm::test {

/// PKCS#8, unencrypted.
std::string private_pem(char letter);
/// The matching public key.
std::string public_pem(char letter);
/// A key of another type, P-256.
std::string other_private_pem();

}  // namespace tonearm::test
