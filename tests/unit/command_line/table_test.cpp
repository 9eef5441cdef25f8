#include "output/table.h"

#include <doctest/doctest.h>

#include <clocale>

namespace tonearm::cli {

// CLI-4

TEST_CASE("text widths are those of a terminal, and truncated texts end with an ellipsis") {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  CHECK(display_width("rain") == 4);
  CHECK(display_width("雨の音") == 6);
  CHECK(display_width("e\u0301") == 1);
  CHECK(truncated("rain", 4) == "rain");
  CHECK(truncated("rainy", 4) == "rai…");
  CHECK(truncated("雨の音", 5) == "雨の…");
  CHECK(truncated("雨の音", 4) == "雨…");
  CHECK(truncated("e\u0301e\u0301e\u0301", 2) == "e\u0301…");
}

TEST_CASE("a table shrinks its widest columns until it fits, except those that must not shrink") {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  Table table({{"ID", Shrink::never}, {"TITLE"}, {"NOTE"}});
  table.add({std::string("example-10"), std::string("A title that is rather long"), std::string("short")});
  table.add({std::string("b"), std::string("two\nlines\x1b[2J"), std::string()});
  CHECK(table.text({}) ==
        "ID          TITLE                        NOTE\n"
        "example-10  A title that is rather long  short\n"
        "b           two\\u000alines\\u001b[2J\n");
  CHECK(table.text({.width = 30}) ==
        "ID          TITLE        NOTE\n"
        "example-10  A title th…  short\n"
        "b           two\\u000al…\n");
  CHECK(table.text({.width = 1}).starts_with("ID          TITLE   NOTE\nexample-10  A tit…  short\n"));
}

TEST_CASE("a line between rows does not widen the columns, and is truncated") {
  std::setlocale(LC_CTYPE, "C.UTF-8");
  Table table({{"ID", Shrink::never}, {"TITLE"}});
  table.add_line("above all\x1b");
  table.add({std::string("a"), std::string("one")});
  table.add_line("Tracks with 1 of 2 words");
  table.add({std::string("b"), std::string("two")});
  table.add_line("below all");
  CHECK(table.text({}) ==
        "ID  TITLE\n"
        "above all\\u001b\n"
        "a   one\n"
        "Tracks with 1 of 2 words\n"
        "b   two\n");
  CHECK(table.text({.width = 12}) ==
        "ID  TITLE\n"
        "above all\\u…\n"
        "a   one\n"
        "Tracks with…\n"
        "b   two\n");
}

TEST_CASE("colors apply only to the text of a cell") {
  Table table({{"A"}, {"B"}});
  table.add({{"yes", Color::good}, {"no", Color::bad}});
  CHECK(table.text({.has_colors = true}) ==
        "\x1b[1mA\x1b[0m    \x1b[1mB\x1b[0m\n\x1b[32myes\x1b[0m  \x1b[31mno\x1b[0m\n");
}

}  // namespace tonearm::cli
