#include "oauth/redirect_address.h"

#include <doctest/doctest.h>

namespace tonearm::web {
namespace {

TEST_SUITE("web: redirect addresses") {
  TEST_CASE("only https, and http of a loopback host, may be registered (OAUTH-4)") {
    for (const auto* const good : {"https://app.example/callback", "https://app.example:8443/a?b=c",
                                   "https://app.example", "http://127.0.0.1/cb", "http://127.0.0.1:3000/cb",
                                   "http://localhost:1/", "http://[::1]:8080/cb", "https://xn--bcher-kva.example/"}) {
      CAPTURE(good);
      CHECK(redirect_error(good).empty());
    }
    for (const auto* const bad : {"",
                                  "app.example/callback",
                                  "/callback",
                                  "//app.example/",
                                  "http://app.example/",
                                  "http://127.0.0.2/",
                                  "http://localhost.evil.example/",
                                  "http://127.0.0.1.evil.example/",
                                  "https://app.example/#",
                                  "https:///path",
                                  "https://app.example/a#b",
                                  "https://user@app.example/",
                                  "https://user:x@app.example/",
                                  "https://a.example:/",
                                  "https://a.example:port/",
                                  "javascript:alert(1)",
                                  "data:text/html,x",
                                  "app://callback",
                                  "HTTPS://a.example/",
                                  "https://a.example\\@b.example/",
                                  "https://a.example/\nSet-Cookie: a",
                                  "https://a.example/ b",
                                  "https://*.example/",
                                  "https://a.example/\"",
                                  "https://b\u00fccher.example/",
                                  "http://localhost@evil.example/",
                                  "http://evil.example\\@localhost/"}) {
      CAPTURE(bad);
      CHECK_FALSE(redirect_error(bad).empty());
    }
    CHECK_FALSE(redirect_error("https://a.example/" + std::string(2'000, 'a')).empty());
  }

  TEST_CASE("an address matches character by character, but for the port of a loopback host (OAUTH-4)") {
    const auto same = is_same_redirect;
    CHECK(same("https://a.example/cb?x=1", "https://a.example/cb?x=1"));
    CHECK(same("http://127.0.0.1:3000/cb", "http://127.0.0.1:4000/cb"));
    CHECK(same("http://127.0.0.1/cb", "http://127.0.0.1:4000/cb"));
    CHECK(same("http://[::1]:1/cb", "http://[::1]/cb"));
    CHECK(same("http://localhost:1/cb?x", "http://localhost:2/cb?x"));
    for (const auto* const other :
         {"https://a.example/cb", "https://a.example/cb/", "https://a.example/cb?x=1&y=2",
          "https://a.example:444/cb?x=1", "https://A.example/cb?x=1", "http://a.example/cb?x=1",
          "https://a.example/cb?x=1#f", "https://a.example/%63b?x=1", "https://evil.example/cb?x=1", ""}) {
      CAPTURE(other);
      CHECK_FALSE(same("https://a.example/cb?x=1", other));
    }
    for (const auto* const other :
         {"http://localhost:3000/cb", "http://127.0.0.1:3000/other", "https://127.0.0.1:3000/cb",
          "http://127.0.0.1:3000/cb?x", "http://127.0.0.1:x/cb", "http://127.0.0.1:3000/cb#",
          "http://127.0.0.1@evil.example/cb", "http://[::1]:3000/cb"}) {
      CAPTURE(other);
      CHECK_FALSE(same("http://127.0.0.1:3000/cb", other));
    }
  }

  TEST_CASE("parameters are appended percent-encoded; empty ones are omitted") {
    CHECK(with_parameters("https://a.example/cb", {{"code", "a b&c"}, {"state", ""}, {"iss", "https://s"}}) ==
          "https://a.example/cb?code=a%20b%26c&iss=https%3A%2F%2Fs");
    CHECK(with_parameters("https://a.example/cb?x=1", {{"code", "1"}}) == "https://a.example/cb?x=1&code=1");
  }

  TEST_CASE("the host is what follows the scheme (OAUTH-6)") {
    CHECK(redirect_host("https://app.example:8443/cb") == "app.example:8443");
    CHECK(is_loopback("http://[::1]:1/"));
    CHECK_FALSE(is_loopback("https://localhost/"));
  }
}

}  // namespace
}  // namespace tonearm::web
