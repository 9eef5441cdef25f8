#include "files/byte_range.h"

#include <doctest/doctest.h>

#include <array>

namespace tonearm::web {
namespace {

TEST_SUITE("web: ranges") {
  TEST_CASE("parses a single range (WEB-13)") {
    struct Row {
      const char* field;
      ByteRange range;
    };
    for (const auto& row : std::array<Row, 7>{{{"bytes=0-0", {0, 1}},
                                               {"bytes=2-5", {2, 4}},
                                               {"bytes=5-", {5, 5}},
                                               {"bytes=-3", {7, 3}},
                                               {"bytes=-99", {0, 10}},
                                               {"Bytes = 4-99999999999999999999999", {4, 6}},
                                               {"bytes=9-9", {9, 1}}}}) {
      CAPTURE(row.field);
      const auto range = read_range(row.field, 10);
      REQUIRE(std::holds_alternative<ByteRange>(range));
      CHECK(std::get<ByteRange>(range) == row.range);
    }
  }

  TEST_CASE("a range that begins after the end cannot be satisfied (WEB-13)") {
    for (const char* const field : {"bytes=10-", "bytes=10-12", "bytes=-0", "bytes=99999999999999999999999-"}) {
      CAPTURE(field);
      CHECK(read_range(field, 10) == std::variant<ByteRange, NoRange>(NoRange::not_satisfiable));
    }
    CHECK(read_range("bytes=-1", 0) == std::variant<ByteRange, NoRange>(NoRange::not_satisfiable));
  }

  TEST_CASE("several ranges, other units and malformed ranges select the whole file (WEB-13)") {
    for (const char* const field : {"", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-2", "bytes=0-1,3-4",
                                    "items=0-1", "bytes=+1-2", "bytes=1 -2", "bytes=--1"}) {
      CAPTURE(field);
      CHECK(read_range(field, 10) == std::variant<ByteRange, NoRange>(NoRange::whole));
    }
  }
}

}  // namespace
}  // namespace tonearm::web
