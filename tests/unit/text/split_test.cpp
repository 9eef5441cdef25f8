#include "text/split.h"

#include <doctest/doctest.h>

namespace tonearm::text {

TEST_CASE("Text is split at each separator, and empty parts are kept") {
  using Parts = std::vector<std::string_view>;
  CHECK(split("a+b", '+') == Parts{"a", "b"});
  CHECK(split("+a++", '+') == Parts{"", "a", "", ""});
  CHECK(split("a", '+') == Parts{"a"});
  CHECK(split("", '+') == Parts{""});
}

}  // namespace tonearm::text
