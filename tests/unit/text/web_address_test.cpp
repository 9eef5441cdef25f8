#include "text/web_address.h"

#include <doctest/doctest.h>

using namespace tonearm::text;

// CREDIT-21
TEST_CASE("Equivalent URLs have the same normalized form") {
  for (const char* same : {"https://example.org/a/b", "http://www.example.org/a/b/", "HTTPS://EXAMPLE.ORG:443/a/b#top",
                           "http://example.org:80/%61/b//", "https://example.org/a/b?utm_source=x&fbclid=1",
                           "https://example.org/a/b?", "https://example.org/a/b?&&Search=Search"}) {
    CAPTURE(same);
    CHECK(normalized_url(same) == "example.org/a/b");
  }
  CHECK(normalized_url("https://example.org/Rain on%20a roof.mp3") == "example.org/Rain%20on%20a%20roof.mp3");
  CHECK(normalized_url("https://example.org/Stra\u00dfe") == normalized_url("https://example.org/Stra%c3%9fe"));
  CHECK(normalized_url("https://example.org") == "example.org");
}

TEST_CASE("Different URLs have different normalized forms") {
  CHECK(normalized_url("https://example.org/a?x=1&y=2") == "example.org/a?x=1&y=2");
  CHECK(normalized_url("https://example.org/A") != normalized_url("https://example.org/a"));
  CHECK(normalized_url("https://example.org/a%2Fb") != normalized_url("https://example.org/a/b"));
  CHECK(normalized_url("https://example.org:8080/a") != normalized_url("https://example.org/a"));
  CHECK(normalized_url("https://wwwexample.org/a") == "wwwexample.org/a");
}

TEST_CASE("Text that is not an http or https URL has no normalized form") {
  for (const char* other :
       {"", "https://", "http:///a", "ftp://example.org/a", "example.org/a", "https:/example.org", "http://?a"}) {
    CAPTURE(other);
    CHECK_FALSE(is_web_address(other));
    CHECK(normalized_url(other).empty());
  }
  CHECK(path_segments("//a//b/") == std::vector<std::string_view>{"a", "b"});
  CHECK(normalized_url("https://example.org/100%") == "example.org/100%");
  CHECK(normalized_url("https://example.org/%4") == "example.org/%4");
}

TEST_CASE("A web address is split into parts as they are written") {
  const auto full = parse_web_address("HTTPS://u@A.example:81/b c?d/e?f#g?h");
  REQUIRE(full);
  CHECK(full->is_https);
  CHECK(full->origin == "HTTPS://u@A.example:81");
  CHECK(full->authority == "u@A.example:81");
  CHECK(full->host == "A.example");
  CHECK(full->port == ":81");
  CHECK(full->path == "/b c");
  CHECK(full->query == "?d/e?f");
  const auto address = parse_web_address("http://[::1]:80?x");
  REQUIRE(address);
  CHECK_FALSE(address->is_https);
  CHECK(address->host == "[::1]");
  CHECK(address->port == ":80");
  CHECK(address->path.empty());
  CHECK(address->query == "?x");
  CHECK(parse_web_address("http://:80/")->host.empty());
  CHECK(parse_web_address("http://a#/b?c")->path.empty());
}
