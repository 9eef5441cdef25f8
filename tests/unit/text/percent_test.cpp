#include "text/percent.h"

#include <doctest/doctest.h>

namespace tonearm::text {

TEST_CASE("Escapes are decoded, and a broken one or one that is not UTF-8 is refused") {
  CHECK(decode_percent("a%20b+c") == "a b+c");
  CHECK(decode_query_component("a%20b+c") == "a b c");
  CHECK(decode_percent("%C3%a9") == "\xc3\xa9");
  for (const std::string_view broken : {"%", "%4", "%4x", "%zz", "%ff", "a%C3"}) {
    CHECK_FALSE(decode_percent(broken).has_value());
  }
}

}  // namespace tonearm::text
