#include "login/oauth_client.h"

#include <doctest/doctest.h>

namespace tonearm::cli {

// CLI-21

TEST_CASE("the challenge is that of RFC 7636, appendix B") {
  CHECK(code_challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
}

TEST_CASE("the page has the whole request in its address") {
  const AuthorizationServer server{.issuer = "https://site.example",
                                   .resource = "https://api.example/mcp",
                                   .authorization_endpoint = "https://site.example/oauth/authorize",
                                   .token_endpoint = {},
                                   .registration_endpoint = {},
                                   .revocation_endpoint = {}};
  CHECK(
      authorization_page(server, {"app_1", "http://127.0.0.1:5/callback", "s t", "verifier"}) ==
      "https://site.example/oauth/authorize?response_type=code&client_id=app_1&redirect_uri=http%3A%2F%2F127.0.0.1%3A5"
      "%2Fcallback&code_challenge=iMnq5o6zALKXGivsnlom_0F5_WYda32GHkxlV7mq7hQ&code_challenge_method=S256&state=s%20t"
      "&scope=account&resource=https%3A%2F%2Fapi.example%2Fmcp");
}

}  // namespace tonearm::cli
