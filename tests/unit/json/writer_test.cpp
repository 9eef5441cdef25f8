#include "json/writer.h"

#include <doctest/doctest.h>

#include <limits>

namespace tonearm::json {

TEST_CASE("Commas separate members and elements") {
  Writer out;
  out.begin_object();
  out.key("a");
  out.begin_array();
  out.integer(1);
  out.boolean(true);
  out.null();
  out.begin_object();
  out.end_object();
  out.end_array();
  out.key("b");
  out.raw("[2]");
  out.end_object();
  CHECK(out.text() == R"({"a":[1,true,null,{}],"b":[2]})");
}

TEST_CASE("Strings are escaped and stay UTF-8") {
  Writer out;
  out.string("\"\\/\n\r\t\x01\x7f\xc3\xa9");
  CHECK(out.text() == "\"\\\"\\\\/\\n\\r\\t\\u0001\\u007f\xc3\xa9\"");
}

TEST_CASE("Every byte is escaped or copied, at any position") {
  for (int byte = 0; byte < 256; ++byte) {
    for (std::size_t before = 0; before < 20; ++before) {
      const auto c = static_cast<char>(byte);
      Writer alone;
      alone.string(std::string(1, c));
      Writer out;
      out.string(std::string(before, 'a') + c + std::string(20 - before, '~'));
      const std::string escaped = alone.text().substr(1, alone.text().size() - 2);
      CHECK(out.text() == "\"" + std::string(before, 'a') + escaped + std::string(20 - before, '~') + "\"");
      const bool is_plain = byte >= 0x20 && c != '"' && c != '\\' && byte != 0x7f;
      CHECK((escaped == std::string(1, c)) == is_plain);
    }
  }
}

TEST_CASE("Decimals have no exponent and no trailing zeros") {
  const auto decimal = [](std::int64_t scaled, int digits) {
    Writer out;
    out.decimal(scaled, digits);
    return out.take();
  };
  CHECK(decimal(183'500, 3) == "183.5");
  CHECK(decimal(12'000, 2) == "120");
  CHECK(decimal(1, 3) == "0.001");
  CHECK(decimal(0, 3) == "0");
  CHECK(decimal(12'345, 2) == "123.45");
  CHECK(decimal(-1'420, 2) == "-14.2");
  CHECK(decimal(-5, 2) == "-0.05");
  CHECK(decimal(-100, 2) == "-1");
}

TEST_CASE("Rewinding removes everything after the mark, including its comma") {
  Writer out;
  out.begin_object();
  const Writer::Mark begin = out.mark();
  out.key("a");
  out.rewind(begin);
  out.key("b");
  out.integer(1);
  const Writer::Mark later = out.mark();
  out.key("c");
  out.rewind(later);
  out.end_object();
  CHECK(out.text() == R"({"b":1})");
}

TEST_CASE("Integers are written up to their limits") {
  Writer out;
  out.integer(std::numeric_limits<std::int64_t>::min());
  CHECK(out.text() == "-9223372036854775808");
}

}  // namespace tonearm::json
