#include "routes/visit.h"

#include <doctest/doctest.h>

namespace tonearm::web {
namespace {

RequestHead from(std::string client, Headers headers = {}) {
  return {"POST", "/site/x", std::move(headers), std::move(client)};
}

Approach behind_proxy() { return {{*native::AddressBlock::parse("10.0.0.0/8")}, Transport::plain}; }

TEST_SUITE("web: visits") {
  TEST_CASE("behind a trusted proxy the visitor is the one that it names (WEB-4)") {
    const auto approach = behind_proxy();
    const Headers forwarded{{"X-Forwarded-For", "192.0.2.7, 192.0.2.1"}};
    CHECK(visitor_of(from("10.1.1.1", forwarded), approach) == visitor_of(from("192.0.2.1"), approach));
    CHECK(visitor_of(from("192.0.2.9", forwarded), approach) == visitor_of(from("192.0.2.9"), approach));
    CHECK(visitor_of(from("2001:db8::1"), approach) == visitor_of(from("2001:db8::2"), approach));
  }

  TEST_CASE("https is believed of a trusted proxy alone (WEB-6)") {
    const auto approach = behind_proxy();
    const Headers https{{"X-Forwarded-Proto", "https"}};
    CHECK(transport_of(from("10.1.1.1", https), approach) == Transport::secure);
    CHECK(transport_of(from("192.0.2.9", https), approach) == Transport::plain);
    CHECK(transport_of(from("10.1.1.1"), approach) == Transport::plain);
    CHECK(transport_of(from("192.0.2.9"), {{}, Transport::secure}) == Transport::secure);
  }

  TEST_CASE("a write comes from the host that is asked (WEB-9)") {
    const Header host{"Host", "site.example:8080"};
    CHECK(is_from_here(from("", {host})));
    CHECK(is_from_here(from("", {host, {"Origin", "https://site.example:8080"}})));
    CHECK(is_from_here(from("", {host, {"Sec-Fetch-Site", "same-origin"}})));
    for (const char* const origin :
         {"null", "https://evil.example", "https://site.example", "https://site.example:8080.evil"}) {
      CAPTURE(origin);
      CHECK_FALSE(is_from_here(from("", {host, {"Origin", origin}})));
    }
    for (const char* const site : {"cross-site", "same-site", "none"}) {
      CHECK_FALSE(is_from_here(from("", {host, {"Sec-Fetch-Site", site}})));
    }
  }
}

}  // namespace
}  // namespace tonearm::web
