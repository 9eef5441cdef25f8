#include "catalog/codec.h"

#include <doctest/doctest.h>

using namespace tonearm;
using namespace tonearm::catalog;

namespace {

std::vector<std::uint32_t> members(const DocSet& set) {
  std::vector<std::uint32_t> positions;
  set.each(0, [&](std::uint32_t position) {
    positions.push_back(position);
    return true;
  });
  return positions;
}

std::vector<std::uint32_t> decoded(const std::string& bytes, std::int64_t count, std::uint32_t size) {
  DocSet set(size);
  decode_facet(bytes, count, set);
  return members(set);
}

}  // namespace

TEST_CASE("postings of a word come back as they were written") {
  const WordPostings postings{{0, 1, 127, 128, 300, 70'000}, {1, 255, 3, 4, 5, 6}};
  const std::string bytes = encode_word(postings);
  const WordPostings back = decode_word(bytes, 6, 70'001);
  CHECK(back.positions == postings.positions);
  CHECK(back.impacts == postings.impacts);
}

TEST_CASE("a facet comes back as it was written, as a list and as a bitmap") {
  const std::vector<std::uint32_t> few{3, 64, 999};
  CHECK(encode_facet(few, 1000).size() < 10);
  CHECK(decoded(encode_facet(few, 1000), 3, 1000) == few);
  std::vector<std::uint32_t> many;
  for (std::uint32_t i = 0; i < 1000; i += 3) many.push_back(i);
  CHECK(encode_facet(many, 1000).size() == 126);
  CHECK(decoded(encode_facet(many, 1000), static_cast<std::int64_t>(many.size()), 1000) == many);
}

TEST_CASE("damaged postings are refused and never read beyond their bytes") {
  const std::string word = encode_word({{5, 300, 4000}, {1, 2, 3}});
  for (std::size_t size = 0; size < word.size(); ++size) {
    CHECK_THROWS_AS(decode_word(word.substr(0, size), 3, 5000), sql::Failure);
  }
  CHECK_THROWS_AS(decode_word(word, 2, 5000), sql::Failure);
  CHECK_THROWS_AS(decode_word(word, -1, 5000), sql::Failure);
  CHECK_THROWS_AS(decode_word(word, 3, 4000), sql::Failure);
  CHECK_THROWS_AS(decode_word(word + "x", 3, 5000), sql::Failure);
  CHECK_THROWS_AS(decode_word("\xff\xff\xff\xff\xff\xff\x01", 1, 5000), sql::Failure);
  for (const auto& positions : {std::vector<std::uint32_t>{1, 99}, std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 99}}) {
    const std::string facet = encode_facet(positions, 100);
    const auto count = static_cast<std::int64_t>(positions.size());
    CHECK_THROWS_AS(decoded(facet.substr(0, facet.size() - 1), count, 100), sql::Failure);
    CHECK_THROWS_AS(decoded(facet, count + 1, 100), sql::Failure);
    CHECK_THROWS_AS(decoded(facet, count, 99), sql::Failure);
    CHECK_THROWS_AS(decoded({}, 0, 100), sql::Failure);
    CHECK_THROWS_AS(decoded("\x02", 0, 100), sql::Failure);
  }
}

TEST_CASE("arrays are little-endian") {
  CHECK(encode_array(std::vector<std::uint16_t>{0x0102, 0xfffe}) == "\x02\x01\xfe\xff");
  CHECK(decode_array<std::uint16_t>("\x02\x01\xfe\xff") == std::vector<std::uint16_t>{0x0102, 0xfffe});
  CHECK_THROWS_AS(decode_array<std::uint32_t>("abc"), sql::Failure);
}

TEST_CASE("a set visits its members from any place on") {
  DocSet set(200);
  set.add_range(60, 70);
  set.add_range(128, 193);
  set.add_range(7, 7);
  CHECK(set.count() == 75);
  std::vector<std::uint32_t> tail;
  set.each(73, [&](std::uint32_t position) {
    tail.push_back(position);
    return true;
  });
  CHECK(tail == std::vector<std::uint32_t>{191, 192});
}
