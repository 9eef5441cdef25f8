#include "oauth/registration.h"

#include <doctest/doctest.h>

namespace tonearm::web {
namespace {

std::string registration_error(const std::string& body) {
  const auto read = read_registration(body);
  const auto* error = std::get_if<OauthError>(&read);
  return error == nullptr ? "" : std::string(error->code);
}

TEST_SUITE("web: registrations of applications") {
  TEST_CASE("a name and addresses are read, and the rest is ignored (OAUTH-3)") {
    const auto read = read_registration(
        R"({"client_name":" A\nsystem\u202e ","redirect_uris":["https://a.example/cb","http://localhost/"],)"
        R"("token_endpoint_auth_method":"client_secret_post","logo_uri":"javascript:alert"})");
    REQUIRE(std::holds_alternative<ClientMetadata>(read));
    const auto& metadata = std::get<ClientMetadata>(read);
    CHECK(metadata.name == "A system");
    CHECK(metadata.redirects == std::vector<std::string>{"https://a.example/cb", "http://localhost/"});
    const auto unnamed = read_registration(R"({"redirect_uris":["https://a.example/cb"]})");
    CHECK(std::get<ClientMetadata>(unnamed).name.empty());
    const auto named = read_registration(R"({"client_name":")" + std::string(200, 'n') +
                                         R"(","redirect_uris":["https://a.example/cb"]})");
    CHECK(std::get<ClientMetadata>(named).name.size() == 80);
  }

  TEST_CASE("other bodies are rejected (OAUTH-3)") {
    for (const auto* const body : {"", "[]", "{", R"({"client_name":1,"redirect_uris":["https://a.example/"]})"}) {
      CAPTURE(body);
      CHECK(registration_error(body) == "invalid_client_metadata");
    }
    std::string eleven = R"("https://a.example/")";
    for (int i = 0; i < 10; ++i) eleven += R"(,"https://a.example/")";
    for (const std::string& redirects :
         {std::string("[]"), std::string("1"), std::string("[1]"), std::string(R"(["http://a.example/"])"),
          std::string(R"(["https://a.example/","javascript:alert"])"), '[' + eleven + ']'}) {
      CAPTURE(redirects);
      CHECK(registration_error(R"({"redirect_uris":)" + redirects + "}") == "invalid_redirect_uri");
    }
    CHECK(registration_error("{}") == "invalid_redirect_uri");
  }
}

}  // namespace
}  // namespace tonearm::web
