#include "system/signing_keys.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <stdexcept>

#include "scratch_folder.h"
#include "signing_files.h"

namespace tonearm::native {
namespace {

using doctest::Contains;
namespace fs = std::filesystem;

struct Keys {
  test::ScratchFolder folder;
  std::string secret = folder.write("secret.pem", test::private_pem('a'));
  std::string open = folder.write("public.pem", test::public_pem('a'));
};

SignatureClaim claim_of(const SigningKey& key, const std::string& message) {
  return {key.public_key(), key.sign(message), message};
}

}  // namespace

TEST_CASE("BUILD-22: signatures are deterministic, and the public key verifies them") {
  const Keys files;
  const SigningKey key(files.secret);
  const TrustedKeys trusted(files.open);
  const auto claim = claim_of(key, "a message");
  CHECK(claim.signature == key.sign("a message"));
  CHECK(is_signed_by_own_key(claim));
  CHECK_FALSE(trusted.refusal(claim));
}

TEST_CASE("RECEIPT-6: a trusted key is found by its id") {
  const Keys files;
  const TrustedKeys trusted(files.open);
  const PublicKey key = SigningKey(files.secret).public_key();
  CHECK(trusted.find(key_id(key)) == key);
  CHECK_FALSE(trusted.find("0123456789abcdef"));
  CHECK_FALSE(trusted.find({}));
}

TEST_CASE("HOST-30: a missing signature, one of another key and one of another message are refused with the reason") {
  const Keys files;
  const SigningKey key(files.secret);
  const TrustedKeys trusted(files.open);
  CHECK(trusted.refusal(std::nullopt)->find("it is not signed") == 0);
  const SigningKey other(files.folder.write("other.pem", test::private_pem('b')));
  const auto of_other = claim_of(other, "a message");
  CHECK(trusted.refusal(of_other) ==
        "it is signed with the key " + key_id(other.public_key()) + ", which is not trusted here");
  auto altered = claim_of(key, "a message");
  altered.message += '.';
  CHECK(trusted.refusal(altered)->find("its signature does not match its content") == 0);
  auto borrowed = of_other;  // claims the trusted key
  borrowed.public_key = key.public_key();
  CHECK(trusted.refusal(borrowed)->find("its signature does not match its content") == 0);
  for (std::size_t i = 0; i < altered.signature.size(); ++i) {
    auto changed = claim_of(key, "a message");
    changed.signature.at(i) ^= 1U;
    CHECK(trusted.refusal(changed));
    CHECK_FALSE(is_signed_by_own_key(changed));
  }
}

TEST_CASE("HOST-30: without a trusted key only a signature that does not match is refused") {
  const Keys files;
  CHECK_FALSE(alteration(std::nullopt));
  auto claim = claim_of(SigningKey(files.secret), "a message");
  CHECK_FALSE(alteration(claim));
  claim.message += '.';
  CHECK(alteration(claim)->find("its signature does not match its content") == 0);
}

TEST_CASE("HOST-30: a file may contain several trusted keys") {
  const Keys files;
  const auto both = files.folder.write("both.pem", "Our keys\n" + test::public_pem('b') + test::public_pem('a'));
  CHECK_FALSE(TrustedKeys(both).refusal(claim_of(SigningKey(files.secret), "m")));
  CHECK(
      TrustedKeys(files.folder.write("b.pem", test::public_pem('b'))).refusal(claim_of(SigningKey(files.secret), "m")));
}

TEST_CASE("PROGRAM-24: the error names a key file that contains anything else") {
  const Keys files;
  const auto& folder = files.folder;
  const std::string pem = test::public_pem('a');
  const auto signing_error = [&](const std::string& text, const char* message) {
    const auto path = folder.write("key", text);
    CHECK_THROWS_WITH_AS(SigningKey{path}, Contains((path + message).c_str()), std::runtime_error);
  };
  signing_error("no key", " contains no private key");
  signing_error(pem, " contains no private key");
  signing_error(test::other_private_pem(), " contains a key of another type");
  signing_error(test::private_pem('a') + test::private_pem('b'), " contains more than one");
  signing_error("", " is empty");
  const auto trusted_error = [&](const std::string& text, const char* message) {
    const auto path = folder.write("key", text);
    CHECK_THROWS_WITH_AS(TrustedKeys{path}, Contains((path + message).c_str()), std::runtime_error);
  };
  trusted_error("no key", " is not a public key");
  trusted_error(test::private_pem('a'), " contains a private key");
  trusted_error(pem.substr(0, pem.size() / 2), " is not a public key");
  trusted_error(pem + pem.substr(0, pem.size() / 2), " is not a public key");
  trusted_error("", " is empty");
  CHECK_THROWS_WITH_AS(TrustedKeys{folder.path("none")}, Contains("cannot open"), std::runtime_error);
}

TEST_CASE("PROGRAM-10: a world-readable signing key and world-writable trusted keys are refused") {
  const Keys files;
  const auto open_to = [](const std::string& of, unsigned mode) { fs::permissions(of, static_cast<fs::perms>(mode)); };
  open_to(files.folder.path(), 0755);
  open_to(files.secret, 0644);
  CHECK_THROWS_WITH_AS(SigningKey{files.secret}, Contains("chmod 600"), std::runtime_error);
  open_to(files.open, 0644);
  CHECK_NOTHROW(TrustedKeys{files.open});
  open_to(files.open, 0666);
  CHECK_THROWS_WITH_AS(TrustedKeys{files.open}, Contains("chmod go-w"), std::runtime_error);
}

}  // namespace tonearm::native
