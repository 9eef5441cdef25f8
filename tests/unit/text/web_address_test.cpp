#include "text/web_address.h"

#include <doctest/doctest.h>

using namespace tonearm::text;

// CREDIT-21
TEST_CASE("Addresses that mean the same have one compared form") {
  for (const char* same : {"https://example.org/a/b", "http://www.example.org/a/b/", "HTTPS://EXAMPLE.ORG:443/a/b#top",
                           "http://example.org:80/%61/b//", "https://example.org/a/b?utm_source=x&fbclid=1",
                           "https://example.org/a/b?", "https://example.org/a/b?&&Search=Search"}) {
    CAPTURE(same);
    CHECK(plain_address(same) == "example.org/a/b");
  }
  CHECK(plain_address("https://example.org/Rain on%20a roof.mp3") == "example.org/Rain%20on%20a%20roof.mp3");
  CHECK(plain_address("https://example.org/Stra\u00dfe") == plain_address("https://example.org/Stra%c3%9fe"));
  CHECK(plain_address("https://example.org") == "example.org");
}

TEST_CASE("Addresses that mean something else have another form") {
  CHECK(plain_address("https://example.org/a?x=1&y=2") == "example.org/a?x=1&y=2");
  CHECK(plain_address("https://example.org/A") != plain_address("https://example.org/a"));
  CHECK(plain_address("https://example.org/a%2Fb") != plain_address("https://example.org/a/b"));
  CHECK(plain_address("https://example.org:8080/a") != plain_address("https://example.org/a"));
  CHECK(plain_address("https://wwwexample.org/a") == "wwwexample.org/a");
}

TEST_CASE("What is no address of the web has no form") {
  for (const char* other :
       {"", "https://", "http:///a", "ftp://example.org/a", "example.org/a", "https:/example.org", "http://?a"}) {
    CAPTURE(other);
    CHECK_FALSE(is_web_address(other));
    CHECK(plain_address(other).empty());
  }
  CHECK(segments_of("//a//b/") == std::vector<std::string_view>{"a", "b"});
  CHECK(plain_address("https://example.org/100%") == "example.org/100%");
  CHECK(plain_address("https://example.org/%4") == "example.org/%4");
}
