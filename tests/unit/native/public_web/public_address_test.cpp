#include "public_web/public_address.h"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <netinet/in.h>

#include <cstring>

namespace tonearm::public_web {
namespace {

bool is_public(const char* text, std::span<const AddressBlock> allowed = {}) {
  sockaddr_storage address{};
  if (std::strchr(text, ':') != nullptr) {
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    REQUIRE(::inet_pton(AF_INET6, text, &v6.sin6_addr) == 1);
    std::memcpy(&address, &v6, sizeof v6);
  } else {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    REQUIRE(::inet_pton(AF_INET, text, &v4.sin_addr) == 1);
    std::memcpy(&address, &v4, sizeof v4);
  }
  return public_web::is_public(reinterpret_cast<const sockaddr&>(address), allowed);
}

}  // namespace

// LINK-2
TEST_CASE("global unicast addresses are public") {
  for (const auto* text : {"8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.0", "100.63.0.1", "100.128.0.1",
                           "192.167.1.1", "223.255.255.255", "2606:4700::1111", "2a00:1450::8", "::ffff:8.8.8.8",
                           "64:ff9b::808:808", "2002:808:808::1"}) {
    CAPTURE(text);
    CHECK(is_public(text));
  }
}

TEST_CASE("private, link-local, mapped and reserved addresses are not public") {
  for (const auto* text :
       {"0.0.0.0",      "10.1.2.3",       "100.64.0.1",       "127.0.0.1",       "127.255.255.255", "169.254.169.254",
        "172.16.0.1",   "172.31.255.255", "192.0.0.8",        "192.0.2.1",       "192.168.0.1",     "198.18.0.1",
        "198.51.100.1", "203.0.113.1",    "224.0.0.1",        "240.0.0.1",       "255.255.255.255", "::",
        "::1",          "::8.8.8.8",      "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1",
        "100::1",       "2001::1",        "2001:db8::1",      "2002:7f00:1::1",  "2002:a00:1::1",   "3fff::1",
        "fc00::1",      "fd12::1",        "fe80::1",          "fec0::1",         "ff02::1",         "4000::1"}) {
    CAPTURE(text);
    CHECK_FALSE(is_public(text));
  }
}

TEST_CASE("an allowed block counts as public, and no other address") {
  const std::vector<AddressBlock> allowed{*read_address_block("127.0.0.1"), *read_address_block("10.8.0.0/13"),
                                          *read_address_block("fd00::/9")};
  for (const auto* text : {"127.0.0.1", "10.8.0.0", "10.15.255.255", "fd00::1", "fd7f::1", "8.8.8.8"}) {
    CAPTURE(text);
    CHECK(is_public(text, allowed));
  }
  for (const auto* text : {"127.0.0.2", "10.7.255.255", "10.16.0.0", "fd80::1", "::ffff:127.0.0.1"}) {
    CAPTURE(text);
    CHECK_FALSE(is_public(text, allowed));
  }
}

TEST_CASE("addresses of other families are not public") {
  sockaddr address{};
  address.sa_family = AF_UNIX;
  CHECK_FALSE(public_web::is_public(address, {}));
}

TEST_CASE("malformed address blocks are rejected") {
  for (const auto* text : {"", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.1/8", "10.0.0/8", "10.0.0.0/-1", "10.0.0.0/8 ",
                           "fd00::/129", "fd00::1/8", "localhost", "1.2.3.4/0x8"}) {
    CAPTURE(text);
    CHECK_FALSE(read_address_block(text));
  }
  CHECK(read_address_block("0.0.0.0/0"));
  CHECK(read_address_block("::/0"));
}

}  // namespace tonearm::public_web
