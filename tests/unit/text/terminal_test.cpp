#include "tonearm/terminal.h"

#include <doctest/doctest.h>

using namespace tonearm;

// PROGRAM-20
TEST_CASE("control characters and line breaks are escaped") {
  struct Row {
    std::string_view given;
    std::string_view shown;
  };
  static constexpr Row kRows[] = {
      {"", ""},
      {"caf\xc3\xa9 \xd7\xa9\xe2\x80\x8f \xe9\x9b\xa8", "caf\xc3\xa9 \xd7\xa9\xe2\x80\x8f \xe9\x9b\xa8"},
      {"\x1b[31mred", "\\u001b[31mred"},
      {"a\rb\tc\x07", "a\\u000db\\u0009c\\u0007"},
      {"\x7f", "\\u007f"},
      {"\xc2\x9b"
       "31m",
       "\\u009b31m"},
      {"\xc2\x85", "\\u0085"},
      {"\xe2\x80\xae\xe2\x80\xaa\xe2\x81\xa9", "\\u202e\\u202a\\u2069"},
      {"\xe2\x80\xa8\xe2\x80\xa9", "\\u2028\\u2029"},
      {"\x9b"
       "31m",
       "\xef\xbf\xbd"
       "31m"},
      {"\xff", "\xef\xbf\xbd"},
  };
  for (const Row& row : kRows) {
    CAPTURE(row.shown);
    CHECK(terminal::line(row.given) == row.shown);
    CHECK(terminal::lines(row.given) == row.shown);
  }
  CHECK(terminal::line("a\nb") == "a\\u000ab");
  CHECK(terminal::lines("a\nb\n") == "a\nb\n");
  using namespace std::string_view_literals;
  CHECK(terminal::line("\0"sv) == "\\u0000");
}
