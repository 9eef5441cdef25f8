#include "oauth/authorization_request.h"

#include <doctest/doctest.h>

#include "system/system_ports.h"

namespace tonearm::web {
namespace {

constexpr std::string_view kResource = "https://api.example/mcp";
// RFC 7636, appendix B
constexpr std::string_view kVerifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
constexpr std::string_view kChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

std::string error_of(const std::string& query) {
  const auto parameters = OauthParameters::parse(query);
  REQUIRE(parameters);
  const auto error = authorization_error(*parameters, kResource);
  return error ? std::string(error->code) : "";
}

TEST_SUITE("web: requests for authorization") {
  TEST_CASE("a repeated or malformed parameter is rejected (OAUTH-5)") {
    const auto parsed = OauthParameters::parse("a=1&&b=x%20y+z&c");
    REQUIRE(parsed);
    CHECK(parsed->get("a") == "1");
    CHECK(parsed->get("b") == "x y z");
    CHECK(parsed->get("c").empty());
    CHECK(parsed->get("d").empty());
    for (const auto* const bad : {"a=1&a=1", "a=%", "a=%ff", "%zz=1"}) {
      CAPTURE(bad);
      CHECK_FALSE(OauthParameters::parse(bad));
    }
  }

  TEST_CASE("only a code with S256 for this resource is allowed (OAUTH-5)") {
    const auto good = "response_type=code&code_challenge_method=S256&code_challenge=" + std::string(kChallenge);
    CHECK(error_of(good).empty());
    CHECK(error_of(good + "&resource=https%3A%2F%2Fapi.example%2Fmcp&scope=account&response_mode=query").empty());
    struct Row {
      std::string query;
      std::string error;
    };
    const auto challenge = "&code_challenge=" + std::string(kChallenge);
    for (const Row& row :
         {Row{"", "unsupported_response_type"}, Row{"response_type=token", "unsupported_response_type"},
          Row{"response_type=code", "invalid_request"}, Row{"response_type=code" + challenge, "invalid_request"},
          Row{"response_type=code&code_challenge_method=plain" + challenge, "invalid_request"},
          Row{"response_type=code&code_challenge_method=S256", "invalid_request"},
          Row{"response_type=code&code_challenge_method=S256&code_challenge=short", "invalid_request"},
          Row{good + "=", "invalid_request"}, Row{good + "&response_mode=fragment", "invalid_request"},
          Row{good + "&state=" + std::string(2'001, 's'), "invalid_request"},
          Row{good + "&resource=https%3A%2F%2Fother.example%2Fmcp", "invalid_target"},
          Row{good + "&resource=https%3A%2F%2Fapi.example%2Fmcp%2F", "invalid_target"}}) {
      CAPTURE(row.query);
      CHECK(error_of(row.query) == row.error);
    }
  }

  TEST_CASE("a verifier belongs to one challenge (OAUTH-7)") {
    native::OpensslHashing hashing;
    CHECK(is_verifier_of(hashing, kVerifier, kChallenge));
    CHECK_FALSE(is_verifier_of(hashing, "", kChallenge));
    CHECK_FALSE(is_verifier_of(hashing, kChallenge, kChallenge));
    CHECK_FALSE(is_verifier_of(hashing, std::string(kVerifier) + "x", kChallenge));
    CHECK_FALSE(is_verifier_of(hashing, kVerifier.substr(1), kChallenge));
    CHECK_FALSE(is_verifier_of(hashing, std::string(129, 'a'), kChallenge));
  }
}

}  // namespace
}  // namespace tonearm::web
