#include "text/visible.h"

#include <doctest/doctest.h>

#include <string>

#include "text/unicode.h"

using namespace tonearm::text;

// COLLECTION-6, LINE-9
TEST_CASE("a text is visible if it has at least one visible character") {
  for (const unsigned c :
       {0x20U,   0x7fU,   0xa0U,   0xadU,   0x34fU,   0x61cU,   0x115fU,  0x1160U,  0x17b4U,  0x180bU,  0x180eU,
        0x200bU, 0x200dU, 0x200fU, 0x202aU, 0x2060U,  0x2064U,  0x206fU,  0x2800U,  0x3000U,  0x3164U,  0xfe00U,
        0xfe0fU, 0xfeffU, 0xffa0U, 0xfff8U, 0x1bca0U, 0x1d173U, 0xe0001U, 0xe0041U, 0xe007fU, 0xe0100U, 0xe01efU}) {
    CAPTURE(c);
    CHECK(is_invisible(c));
    std::string text = " ";
    append_utf8(text, c);
    append_utf8(text, 0x200b);
    CHECK_FALSE(has_visible(text));
    CHECK(has_visible(text + "a"));
  }
  for (const unsigned c :
       {0x21U, 0x41U, 0xacU, 0xaeU, 0x301U, 0x34eU, 0x5d0U, 0x2010U, 0x2801U, 0x3165U, 0x4e00U, 0xfffdU, 0x1f468U}) {
    CAPTURE(c);
    CHECK_FALSE(is_invisible(c));
  }
  CHECK_FALSE(has_visible(""));
  // An emoji of a family: visible characters and joiners.
  CHECK(has_visible("\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa7"));
}
