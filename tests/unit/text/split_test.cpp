#include "text/split.h"

#include <doctest/doctest.h>

namespace tonearm::text {

TEST_CASE("Text is split at each separator, and empty parts are kept") {
  using Pieces = std::vector<std::string_view>;
  CHECK(split("a+b", '+') == Pieces{"a", "b"});
  CHECK(split("+a++", '+') == Pieces{"", "a", "", ""});
  CHECK(split("a", '+') == Pieces{"a"});
  CHECK(split("", '+') == Pieces{""});
}

}  // namespace tonearm::text
