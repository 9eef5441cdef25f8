#include "http/client_address.h"

#include <doctest/doctest.h>

namespace tonearm::native {
namespace {

ClientKey key(const char* address) { return client_key(boost::asio::ip::make_address(address)); }

bool is_in(const char* block, const char* address) {
  const auto parsed = AddressBlock::parse(block);
  REQUIRE(parsed);
  return parsed->contains(boost::asio::ip::make_address(address));
}

}  // namespace

// HOST-20
TEST_CASE("The client key is an IPv4 address or the /64 of an IPv6 address") {
  CHECK(key("192.0.2.1") != key("192.0.2.2"));
  CHECK(key("192.0.2.1") == key("::ffff:192.0.2.1"));
  CHECK(key("2001:db8:1:2::1") == key("2001:db8:1:2:ffff::9"));
  CHECK(key("2001:db8:1:2::1") != key("2001:db8:1:3::1"));
  CHECK(key("::1") == key("::2"));
  CHECK(key("0.0.0.1") != key("::1"));
}

TEST_CASE("A block contains the addresses that share its first bits") {
  struct Row {
    const char* block;
    const char* address;
    bool is_in;
  };
  constexpr Row kRows[] = {
      {"10.0.0.0/8", "10.255.0.1", true},
      {"10.0.0.0/8", "11.0.0.1", false},
      {"10.0.0.0/8", "::ffff:10.1.2.3", true},
      {"192.0.2.128/25", "192.0.2.128", true},
      {"192.0.2.128/25", "192.0.2.255", true},
      {"192.0.2.128/25", "192.0.2.127", false},
      {"192.0.2.1", "192.0.2.1", true},
      {"192.0.2.1", "192.0.2.0", false},
      {"0.0.0.0/0", "203.0.113.9", true},
      {"0.0.0.0/0", "2001:db8::1", false},
      {"fd00::/8", "fdff::1", true},
      {"fd00::/8", "fe00::1", false},
      {"2001:db8::/33", "2001:db8:7fff::1", true},
      {"2001:db8::/33", "2001:db8:8000::1", false},
      {"::1", "::1", true},
      {"::1", "127.0.0.1", false},
      {"::/0", "192.0.2.1", true},
  };
  for (const auto& row : kRows) {
    CAPTURE(row.block);
    CAPTURE(row.address);
    CHECK(is_in(row.block, row.address) == row.is_in);
  }
  for (const char* wrong : {"", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8x", "10.0.0/8", "::/129",
                            "localhost", "10.0.0.0/ 8", "10.0.0.0/99999999999"}) {
    CAPTURE(wrong);
    CHECK_FALSE(AddressBlock::parse(wrong));
  }
}

TEST_CASE("The forwarded client is the last address that is not trusted") {
  const AddressBlocks trusted{*AddressBlock::parse("10.0.0.0/8"), *AddressBlock::parse("fd00::/8")};
  struct Row {
    std::vector<const char*> fields;
    const char* client;  // null: none
  };
  const std::vector<Row> rows{
      {{"192.0.2.1"}, "192.0.2.1"},
      {{"198.51.100.7, 192.0.2.1"}, "192.0.2.1"},
      {{"192.0.2.1, 10.0.0.1"}, "192.0.2.1"},
      {{"192.0.2.1 ,\t10.0.0.1,fd00::1"}, "192.0.2.1"},
      {{"192.0.2.1", "10.0.0.1"}, "192.0.2.1"},
      {{"192.0.2.1:4711"}, "192.0.2.1"},
      {{"[2001:db8::1]:4711"}, "2001:db8::1"},
      {{"[2001:db8::1]"}, "2001:db8::1"},
      {{"2001:db8::1"}, "2001:db8::1"},
      {{}, nullptr},
      {{""}, nullptr},
      {{"10.0.0.1"}, nullptr},
      {{"192.0.2.1, unknown"}, nullptr},
      {{"192.0.2.1,"}, nullptr},
      {{"192.0.2.1, "}, nullptr},
      {{"["}, nullptr},
      {{"_hidden"}, nullptr},
  };
  for (const auto& row : rows) {
    Headers headers{{"Host", "a"}};
    for (const char* field : row.fields) headers.push_back({"x-forwarded-for", field});
    CAPTURE(row.fields.size());
    const auto client = forwarded_client(headers, trusted);
    CHECK(client.has_value() == (row.client != nullptr));
    if (client && row.client != nullptr) CHECK(*client == key(row.client));
  }
}

}  // namespace tonearm::native
