#pragma once
// Ed25519 keys of tests, as the PEM files that openssl writes. A key follows from one letter.

#include <string>

namespace tonearm::test {

/// PKCS#8, unencrypted.
std::string private_pem(char letter);
/// Its public key.
std::string public_pem(char letter);
/// A key of another kind, P-256.
std::string other_private_pem();

}  // namespace tonearm::test
