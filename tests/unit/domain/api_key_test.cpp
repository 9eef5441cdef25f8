#include "domain/api_key.h"

#include <doctest/doctest.h>

#include <set>
#include <stdexcept>
#include <string>

#include "fakes.h"
#include "system/system_ports.h"

using namespace tonearm;

namespace {

constexpr Locator kLocator{1, 2, 3, 4, 5, 6, 7, 8};
constexpr std::array<std::uint8_t, kKeyRandomBytes> kRandom{100, 101, 102, 103, 104, 105, 106, 107, 108, 109,
                                                            110, 111, 112, 113, 114, 115, 116, 117, 118, 119};

/// Made by an independent program from the same parts with the secret "secret".
constexpr std::string_view kKnownKey = "tonearm_017SyR2HeQqgaexiqBKu49W9sHhcwP7to7voNinzYBu4nBR5T4Zq27a";

std::array<std::uint8_t, kKeyRandomBytes> filled(std::uint8_t value) {
  std::array<std::uint8_t, kKeyRandomBytes> bytes;
  bytes.fill(value);
  return bytes;
}

}  // namespace

TEST_CASE("a key equals the one that an independent program makes") {
  native::OpensslHashing hashing;
  CHECK(make_api_key(hashing, "secret", kLocator, kRandom) == kKnownKey);
  CHECK(make_api_key(hashing, "secret", Locator{}, filled(0)) ==
        "tonearm_00000000000Axk1b3XXs6Fm5Mlb46vmggXwrC58euwMgzdJWS21Jq2R");
  Locator last;
  last.fill(0xff);
  CHECK(make_api_key(hashing, "s2", last, filled(0xff)) ==
        "tonearm_4aayPrHErxRuFVHMEVK46wcWUXR29L5iudrOtMjx51KoehU8l1tZvH3");
}

// KEY-3
TEST_CASE("a key is verified only with the secret it was made with") {
  native::OpensslHashing hashing;
  CHECK(verify_api_key(hashing, "secret", kKnownKey) == kLocator);
  CHECK_FALSE(verify_api_key(hashing, "Secret", kKnownKey).has_value());
  CHECK_FALSE(verify_api_key(hashing, "", kKnownKey).has_value());
}

TEST_CASE("a key with any one character changed is rejected") {
  native::OpensslHashing hashing;
  constexpr std::string_view kReplacements = "0Zz_- \n";
  for (std::size_t index = 0; index < kKnownKey.size(); ++index) {
    for (const char replacement : kReplacements) {
      std::string damaged(kKnownKey);
      if (damaged[index] == replacement) continue;
      damaged[index] = replacement;
      CAPTURE(damaged);
      CHECK_FALSE(verify_api_key(hashing, "secret", damaged).has_value());
    }
  }
}

TEST_CASE("a malformed text is not a key") {
  native::OpensslHashing hashing;
  const std::string known(kKnownKey);
  const std::string texts[] = {
      "",
      "tonearm_",
      known.substr(1),
      known.substr(0, known.size() - 1),
      known + "0",
      " " + known,
      "Tonearm_" + known.substr(8),
      std::string(kKeyLength, '\0'),
      std::string(100'000, 'z'),
      // The payload of kKnownKey and a correct checksum, but `_` instead of a digit: `o_` would have the value of `nz`.
      "tonearm_017SyR2HeQqgaexiqBKu49W9sHhcwP7to7voNio_YBu4nBR5T2efEy2",
      // The checksum is correct, but the number is larger than any payload.
      "tonearm_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz3DGbFU",
  };
  for (const auto& text : texts) {
    CHECK_FALSE(verify_api_key(hashing, "secret", text).has_value());
    CHECK_FALSE(unverified_locator(text).has_value());
  }
  CHECK(unverified_locator(known) == kLocator);
}

TEST_CASE("a damaged key is rejected without hashing") {
  class NoHashing final : public Hashing {
   public:
    Sha256 sha256(std::string_view /*data*/) override { throw std::logic_error("hashed"); }
    Sha256 hmac_sha256(std::string_view /*key*/, std::string_view /*data*/) override {
      throw std::logic_error("hashed");
    }
  };
  NoHashing hashing;
  std::string damaged(kKnownKey);
  damaged[20] = damaged[20] == 'a' ? 'b' : 'a';
  CHECK_FALSE(verify_api_key(hashing, "secret", damaged).has_value());
  CHECK_THROWS_AS(verify_api_key(hashing, "secret", kKnownKey), std::logic_error);
}

TEST_CASE("random keys are all different, have the same length, and contain their locators") {
  native::OpensslHashing hashing;
  test::SeededRandom random(1);
  std::set<std::string> keys;
  for (int round = 0; round < 2'000; ++round) {
    Locator locator;
    std::array<std::uint8_t, kKeyRandomBytes> bytes;
    random.fill(locator);
    random.fill(bytes);
    const std::string key = make_api_key(hashing, "secret", locator, bytes);
    REQUIRE(key.size() == kKeyLength);
    REQUIRE(verify_api_key(hashing, "secret", key) == locator);
    keys.insert(key);
  }
  CHECK(keys.size() == 2'000);
}

// KEY-11
TEST_CASE("ids contain the locator in base32") {
  constexpr std::array<std::uint8_t, kKeyIdRandomBytes> kFurther{9, 10, 11, 12, 13};
  CHECK(make_account_id(kLocator) == "acc_aebagbafaydqq");
  CHECK(make_key_id(KeyKind::key, kLocator, kFurther) == "key_aebagbafaydqqcikbmga2");
  CHECK(make_key_id(KeyKind::session, kLocator, kFurther) == "ses_aebagbafaydqqcikbmga2");
  CHECK(parse_account_id("acc_aebagbafaydqq") == kLocator);
  CHECK(parse_key_id("key_aebagbafaydqqcikbmga2") == kLocator);
  CHECK(parse_key_id("ses_aebagbafaydqqcikbmga2") == kLocator);
}

TEST_CASE("a text that encodes no locator is not an id") {
  for (const auto* id : {"", "acc_", "acc_aebagbafaydq", "acc_aebagbafaydqqq", "acc_AEBAGBAFAYDQQ", "acc_aebagbafaydq1",
                         "key_aebagbafaydqq", "aebagbafaydqq", "acc_aebagbafaydqr", "acc_aebagbafaydq\xc3"}) {
    CAPTURE(id);
    CHECK_FALSE(parse_account_id(id).has_value());
  }
  for (const auto* id : {"", "key_", "acc_aebagbafaydqqcikbmga2", "key_aebagbafaydqq", "KEY_aebagbafaydqqcikbmga2",
                         "key_aebagbafaydqqcikbmga3", "key_aebagbafaydqqcikbmga2a"}) {
    CAPTURE(id);
    CHECK_FALSE(parse_key_id(id).has_value());
  }
}

TEST_CASE("an id has one spelling") {
  Locator last;
  last.fill(0xff);
  const std::string id = make_account_id(last);
  CHECK(id == "acc_7777777777776");
  CHECK(parse_account_id(id) == last);
  for (std::size_t index = std::string_view("acc_").size(); index < id.size(); ++index) {
    std::string other = id;
    other[index] = '_';
    CAPTURE(other);
    CHECK_FALSE(parse_account_id(other).has_value());
  }
}

TEST_CASE("bytes are compared completely") {
  const std::array<std::uint8_t, 3> one{1, 2, 3};
  CHECK(equal_in_constant_time(one, one));
  for (std::size_t i = 0; i < one.size(); ++i) {
    auto other = one;
    other.at(i) ^= 0x80U;
    CHECK_FALSE(equal_in_constant_time(one, other));
  }
  CHECK_FALSE(equal_in_constant_time(one, std::span(one).first(2)));
}
