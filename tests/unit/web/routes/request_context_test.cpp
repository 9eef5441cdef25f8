#include "routes/request_context.h"

#include <doctest/doctest.h>

namespace tonearm::web {
namespace {

RequestHead from(std::string client, Headers headers = {}) {
  return {"POST", "/site/x", std::move(headers), std::move(client)};
}

ProxyPolicy behind_proxy() { return {{*native::AddressBlock::parse("10.0.0.0/8")}, Transport::plain}; }

TEST_SUITE("web: request context") {
  TEST_CASE("a trusted proxy names the visitor (WEB-4)") {
    const auto proxies = behind_proxy();
    const Headers forwarded{{"X-Forwarded-For", "192.0.2.7, 192.0.2.1"}};
    CHECK(visitor_key_of(from("10.1.1.1", forwarded), proxies) == visitor_key_of(from("192.0.2.1"), proxies));
    CHECK(visitor_key_of(from("192.0.2.9", forwarded), proxies) == visitor_key_of(from("192.0.2.9"), proxies));
    CHECK(visitor_key_of(from("2001:db8::1"), proxies) == visitor_key_of(from("2001:db8::2"), proxies));
  }

  TEST_CASE("only a trusted proxy may report https (WEB-6)") {
    const auto proxies = behind_proxy();
    const Headers https{{"X-Forwarded-Proto", "https"}};
    CHECK(transport_of(from("10.1.1.1", https), proxies) == Transport::secure);
    CHECK(transport_of(from("192.0.2.9", https), proxies) == Transport::plain);
    CHECK(transport_of(from("10.1.1.1"), proxies) == Transport::plain);
    CHECK(transport_of(from("192.0.2.9"), {{}, Transport::secure}) == Transport::secure);
  }

  TEST_CASE("a write must come from the same origin (WEB-9)") {
    const Header host{"Host", "site.example:8080"};
    const auto is_accepted = [](const Headers& headers, Transport transport) {
      return is_same_origin(from("", headers), transport);
    };
    CHECK(is_accepted({host}, Transport::secure));
    CHECK(is_accepted({host, {"Origin", "https://site.example:8080"}}, Transport::secure));
    CHECK(is_accepted({host, {"Sec-Fetch-Site", "same-origin"}}, Transport::secure));
    for (const char* const origin : {"null", "", "https://", "https://evil.example", "https://site.example",
                                     "https://site.example:8080.evil", "http://site.example:8080"}) {
      CAPTURE(origin);
      CHECK_FALSE(is_accepted({host, {"Origin", origin}}, Transport::secure));
    }
    for (const char* const site : {"cross-site", "same-site", "none"}) {
      CHECK_FALSE(is_accepted({host, {"Sec-Fetch-Site", site}}, Transport::secure));
    }
  }

  TEST_CASE("the scheme of the origin is the visitor's, and a default port may be named (WEB-9)") {
    const auto is_accepted = [](const char* host, const char* origin, Transport transport) {
      return is_same_origin(from("", {{"Host", host}, {"Origin", origin}}), transport);
    };
    CHECK(is_accepted("site.example", "http://site.example", Transport::plain));
    CHECK(is_accepted("site.example:443", "https://site.example", Transport::secure));
    CHECK(is_accepted("site.example", "http://site.example:80", Transport::plain));
    CHECK_FALSE(is_accepted("site.example", "https://site.example", Transport::plain));
    CHECK_FALSE(is_accepted("site.example", "http://site.example", Transport::secure));
    CHECK_FALSE(is_accepted("site.example", "https://site.example:80", Transport::secure));
  }
}

}  // namespace
}  // namespace tonearm::web
