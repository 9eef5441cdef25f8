#include "text/percent.h"

#include <doctest/doctest.h>

namespace tonearm::text {

TEST_CASE("Escapes are decoded, and malformed ones or non-UTF-8 results are rejected") {
  CHECK(decode_percent("a%20b+c") == "a b+c");
  CHECK(decode_query_component("a%20b+c") == "a b c");
  CHECK(decode_percent("%C3%a9") == "\xc3\xa9");
  for (const std::string_view broken : {"%", "%4", "%4x", "%zz", "%ff", "a%C3"}) {
    CHECK_FALSE(decode_percent(broken).has_value());
  }
}

TEST_CASE("All but unreserved characters are encoded, and decode to the original (RFC 3986, 2.1 and 2.3)") {
  CHECK(encode_percent("aZ09-._~") == "aZ09-._~");
  CHECK(encode_percent("a b/\xc3\xa9%") == "a%20b%2F%C3%A9%25");
  CHECK(encode_percent("/a b", "/") == "/a%20b");
  for (int byte = 0; byte < 128; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    CHECK(decode_percent(encode_percent(text)) == text);
    CHECK((encode_percent(text) == text) == is_unreserved(text[0]));
  }
}

// QUERY-2
TEST_CASE("a malformed escape is distinguished from bytes that are not UTF-8") {
  for (const std::string_view broken : {"%", "a%", "%4", "%zz", "%4g", "%ff%"}) {
    CAPTURE(broken);
    CHECK(has_broken_escape(broken));
  }
  for (const std::string_view whole : {"", "a", "%41", "%ff", "%C3%28", "100%25"}) {
    CAPTURE(whole);
    CHECK_FALSE(has_broken_escape(whole));
  }
}

}  // namespace tonearm::text
