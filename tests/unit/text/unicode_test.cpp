#include "text/unicode.h"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

namespace tonearm::text {

TEST_CASE("Only well-formed UTF-8 is accepted") {
  const std::vector<std::pair<std::string_view, bool>> rows{
      {"", true},
      {"plain", true},
      {"\xc3\xa9", true},
      {"\xe2\x82\xac", true},
      {"\xf0\x9f\x8e\xb5", true},
      {"\xf4\x8f\xbf\xbf", true},
      {"\xf4\x90\x80\x80", false},  // above U+10FFFF
      {"\xc0\xaf", false},          // overlong
      {"\xe0\x80\xaf", false},
      {"\xed\xa0\x80", false},  // a surrogate
      {"\xc3", false},          // cut off
      {"\xe2\x82", false},
      {"\x80", false},
      {"\xff", false},
  };
  for (const auto& [text, expected] : rows) CHECK(is_utf8(text) == expected);
}

TEST_CASE("Trimming removes white space of any script from both ends only") {
  CHECK(trimmed("  \t\n a  b \xc2\xa0\xe3\x80\x80") == "a  b");
  CHECK(trimmed("\xe2\x80\x83\xc2\x85x\xe2\x80\xa9") == "x");
  CHECK(trimmed("\xe2\x80\x8bx").size() == 4);  // a zero-width space is none
  CHECK(trimmed(" \t").empty());
  CHECK(trimmed("").empty());
}

TEST_CASE("Lengths count code points") {
  CHECK(code_points("") == 0);
  CHECK(code_points("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x8e\xb5") == 4);
  CHECK(first_code_points("\xc3\xa9t\xc3\xa9", 2) == "\xc3\xa9t");
  CHECK(first_code_points("ab", 9) == "ab");
}

TEST_CASE("Case folding is Unicode's full case folding") {
  CHECK(fold_case("BJÖRK") == fold_case("björk"));
  CHECK(fold_case("Straße") == fold_case("STRASSE"));
  CHECK(fold_case("ΣΊΣΥΦΟΣ") == fold_case("σίσυφος"));
  CHECK(fold_case("КИНО") == fold_case("кино"));
  CHECK(fold_case("a") != fold_case("ä"));
}

TEST_CASE("One line has no break, control or override, and no space at its ends") {
  const std::vector<std::pair<std::string_view, std::string_view>> rows{
      {"a\r\n  b", "a b"},
      {"  a\tb  ", "a b"},
      {"a  b", "a  b"},
      {"a\xe2\x80\xae"
       "b",
       "ab"},  // RIGHT-TO-LEFT OVERRIDE
      {"a\xe2\x80\xa8"
       "b",
       "a b"},  // LINE SEPARATOR
      {"a\x01\x7f\xc2\x9f"
       "b",
       "ab"},                                            // C0, DEL, C1
      {"\xe2\x80\x8f\xd7\xa9", "\xe2\x80\x8f\xd7\xa9"},  // a plain direction mark stays
      {"\n", ""},
  };
  for (const auto& [text, expected] : rows) CHECK(one_line(text) == expected);
}

TEST_CASE("A quoted input is cut at 64 characters and has no control characters") {
  CHECK(quotable("a\nb\x01") == "ab");
  CHECK(quotable(std::string(64, 'x')) == std::string(64, 'x'));
  CHECK(quotable(std::string(65, 'x')) == std::string(64, 'x') + "...");
  CHECK(quotable("\xff") == "\xef\xbf\xbd");
}

}  // namespace tonearm::text
