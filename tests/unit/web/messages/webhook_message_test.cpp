#include "messages/webhook_message.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>

#include "system/system_ports.h"

namespace tonearm::web {
namespace {

TEST_SUITE("web: messages to webhooks") {
  TEST_CASE("the signature is that of Standard Webhooks (WEB-47)") {
    native::OpensslHashing hashing;
    // The example of the specification's own libraries.
    CHECK(webhook_signature("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                            {"msg_p5jXN8AQM9LWM0D4loKWxJek", 1'614'265'330, R"({"test": 2432232314})"},
                            hashing) == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    const std::array<std::uint8_t, 32> zeros{};
    CHECK(webhook_secret(zeros) == "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
  }

  TEST_CASE("nine tries follow the first, over three days (WEB-47)") {
    CHECK(webhook_retry_ms(1) == 5'000);
    CHECK(webhook_retry_ms(9) == 86'400'000);
    CHECK_FALSE(webhook_retry_ms(10).has_value());
    CHECK_FALSE(webhook_retry_ms(100).has_value());
    for (std::int64_t tries = 2; tries < 10; ++tries) CHECK(*webhook_retry_ms(tries) > *webhook_retry_ms(tries - 1));
  }

  TEST_CASE("a receiver has an https address without user and fragment (WEB-46)") {
    CHECK(webhook_address_error("https://a.example/hook?x=1", false).empty());
    CHECK(webhook_address_error("https://a.example:8443", false).empty());
    CHECK(webhook_address_error("http://a.example/", true).empty());
    for (const auto* const address : {"http://a.example/", "", "https://", "https:///x", "ftp://a.example/",
                                      "https://u@a.example/", "https://u:p@a.example/", "https://a.example/#x",
                                      "https://a.example/ b", "https://a.example/\n", "a.example"}) {
      CAPTURE(address);
      CHECK_FALSE(webhook_address_error(address, false).empty());
    }
  }
}

}  // namespace
}  // namespace tonearm::web
