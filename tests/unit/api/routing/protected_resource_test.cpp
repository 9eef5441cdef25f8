#include "api/routing/protected_resource.h"

#include <doctest/doctest.h>

#include "tonearm/result.h"

using namespace tonearm;
using namespace tonearm::api;

namespace {

const OauthAddresses kAddresses{"https://api.example", "https://music.example"};

RequestHead head_of(const std::string& method, const std::string& target) { return {method, target, {}, ""}; }

std::string challenge_of(const ProtectedResource& resource, const std::string& target, ErrorCode code) {
  auto response = error_response({code, ""});
  resource.add_challenge(head_of("POST", target), response);
  const auto* const field = find_header(response.headers, "WWW-Authenticate");
  return field == nullptr ? "" : *field;
}

TEST_SUITE("protected resource") {
  TEST_CASE("the metadata have two paths, and no others (MCP-20)") {
    const ProtectedResource resource(kAddresses);
    for (const auto* const path : {"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp",
                                   "/.well-known/oauth-protected-resource?x=1"}) {
      CAPTURE(path);
      const auto response = resource.answer(head_of("GET", path));
      REQUIRE(response);
      CHECK(response->status == 200);
      CHECK(response->body == R"({"resource":"https://api.example/mcp","resource_name":"Tonearm",)"
                              R"("authorization_servers":["https://music.example"],"scopes_supported":["account"],)"
                              R"("bearer_methods_supported":["header"]})");
    }
    CHECK(resource.answer(head_of("HEAD", "/.well-known/oauth-protected-resource"))->status == 200);
    const auto wrong = resource.answer(head_of("POST", "/.well-known/oauth-protected-resource"));
    REQUIRE(wrong);
    CHECK(wrong->status == 405);
    CHECK(*find_header(wrong->headers, "Allow") == "GET, HEAD");
    for (const auto* const path : {"/mcp", "/.well-known/oauth-protected-resource/", "/v1/search",
                                   "/.well-known/oauth-protected-resource/mcp/", "/.well-known/openid-configuration"}) {
      CAPTURE(path);
      CHECK_FALSE(resource.answer(head_of("GET", path)));
    }
  }

  TEST_CASE("the 401 of /mcp names the metadata (MCP-20)") {
    const ProtectedResource resource(kAddresses);
    const std::string named =
        R"(Bearer resource_metadata="https://api.example/.well-known/oauth-protected-resource/mcp")";
    CHECK(challenge_of(resource, "/mcp", ErrorCode::missing_api_key) == named);
    CHECK(challenge_of(resource, "/mcp?x", ErrorCode::invalid_api_key) == named);
    CHECK(challenge_of(resource, "/v1/search", ErrorCode::missing_api_key) == "Bearer");
    CHECK(challenge_of(resource, "/mcp", ErrorCode::rate_limited).empty());
  }

  TEST_CASE("without an authorization server there is neither (MCP-20)") {
    const ProtectedResource resource(OauthAddresses{});
    CHECK_FALSE(resource.answer(head_of("GET", "/.well-known/oauth-protected-resource")));
    CHECK(challenge_of(resource, "/mcp", ErrorCode::missing_api_key) == "Bearer");
  }
}

}  // namespace
