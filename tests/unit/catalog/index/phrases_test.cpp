#include "catalog/index/phrases.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "fakes.h"
#include "tonearm/sqlite.h"

using namespace tonearm;
using namespace tonearm::catalog;

namespace {

struct Setup {
  sql::SqliteHandle database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  Tokenizer tokenizer{database.get()};

  std::vector<std::uint64_t> hashes_of(const std::vector<std::string>& titles, std::string_view artist) {
    return phrase_hashes(titles, artist, tokenizer);
  }

  bool has(const std::string& title, std::string_view artist, PhraseKind kind, const std::vector<std::string>& stems) {
    const auto hashes = hashes_of({title}, artist);
    return std::find(hashes.begin(), hashes.end(), phrase_hash(kind, stems)) != hashes.end();
  }
};

std::string section_of(PhrasesBuilder& builder) {
  std::string section;
  builder.finish([&](std::string_view bytes) { section += bytes; });
  return section;
}

}  // namespace

TEST_CASE("a title and its artist give whole fields in each order, and the pairs of the title") {
  Setup setup;
  const auto has = [&](PhraseKind kind, const std::vector<std::string>& stems) {
    return setup.has("Rainy Night, Rainy Night", "Ann Doe", kind, stems);
  };
  CHECK(has(PhraseKind::whole, {"raini", "night", "raini", "night"}));
  CHECK(has(PhraseKind::whole, {"raini", "night", "raini", "night", "ann", "doe"}));
  CHECK(has(PhraseKind::whole, {"ann", "doe", "raini", "night", "raini", "night"}));
  CHECK(has(PhraseKind::whole, {"raini", "night", "raini", "night", "by", "ann", "doe"}));
  CHECK(has(PhraseKind::artist, {"ann", "doe"}));
  CHECK(has(PhraseKind::pair, {"raini", "night"}));
  CHECK(has(PhraseKind::pair, {"night", "raini"}));
  CHECK_FALSE(has(PhraseKind::pair, {"night", "night"}));
  CHECK_FALSE(has(PhraseKind::pair, {"ann", "doe"}));
  CHECK_FALSE(has(PhraseKind::whole, {"ann", "doe"}));
  CHECK(setup.hashes_of({"Rainy Night, Rainy Night"}, "Ann Doe").size() == 7);
}

TEST_CASE("a track has the phrases of each of its titles, once") {
  Setup setup;
  auto expected = setup.hashes_of({"heavy_rain.wav"}, "Ann Doe");
  for (const auto hash : setup.hashes_of({"heavy rain"}, "Ann Doe")) expected.push_back(hash);
  std::sort(expected.begin(), expected.end());
  expected.erase(std::unique(expected.begin(), expected.end()), expected.end());
  CHECK(setup.hashes_of({"heavy_rain.wav", "heavy rain"}, "Ann Doe") == expected);
}

TEST_CASE("a single word is a phrase only as a whole title") {
  Setup setup;
  CHECK(setup.hashes_of({"Rain"}, "") == std::vector{phrase_hash(PhraseKind::whole, std::vector<std::string>{"rain"})});
  CHECK(setup.hashes_of({""}, "Ann").empty());
  CHECK(setup.hashes_of({""}, "").empty());
  CHECK(setup.hashes_of({"Rain"}, "Ann").size() == 4);
}

TEST_CASE("addresses are found in their normalized form") {
  const std::vector<std::string> same{"https://www.Example.org/a/", "http://example.org/a#top"};
  CHECK(address_hashes(same) == std::vector{address_hash("example.org/a")});
  CHECK(address_hashes(std::vector<std::string>{"", "not an address"}).empty());
}

TEST_CASE("every hash is found, and no other") {
  test::SeededRandom random(3);
  for (const std::uint32_t count : {0U, 1U, 2U, 40U, 5'000U}) {
    PhrasesBuilder builder;
    std::map<std::uint64_t, std::vector<std::uint32_t>> expected;
    for (std::uint32_t position = 0; position < count; ++position) {
      // The lowest and highest hashes test the bounds of the search; some hashes have many tracks.
      const std::uint64_t hash = position % 3 == 0 ? random.next() : ~std::uint64_t{0} * (position % 2) + position % 11;
      builder.add(position, {hash});
      expected[hash].push_back(position);
    }
    const std::string section = section_of(builder);
    const PhraseIndex index{Extent(section)};
    for (const auto& [hash, positions] : expected) {
      const auto found = index.tracks_of(hash);
      CHECK(std::vector(found.begin(), found.end()) == positions);
      if (!expected.contains(hash + 1)) CHECK(index.tracks_of(hash + 1).empty());
    }
    for (int i = 0; i < 100; ++i) CHECK(index.tracks_of(random.next()).empty());
  }
}

TEST_CASE("a large section arrives in parts, sorted by hashes") {
  test::SeededRandom random(4);
  constexpr std::uint32_t kTracks = 20'000;
  PhrasesBuilder builder;
  std::map<std::uint64_t, std::vector<std::uint32_t>> expected;
  for (std::uint32_t position = 0; position < kTracks; ++position) {
    const std::uint64_t hash = random.next();
    builder.add(position, {hash, 7});
    expected[hash].push_back(position);
    expected[7].push_back(position);
  }
  std::size_t parts = 0;
  std::string section;
  builder.finish([&](std::string_view bytes) {
    ++parts;
    section += bytes;
  });
  CHECK(parts > 4);
  const PhraseIndex index{Extent(section)};
  for (const auto& [hash, positions] : expected) {
    const auto found = index.tracks_of(hash);
    CHECK(std::vector(found.begin(), found.end()) == positions);
  }
  CHECK(section_of(builder).size() == 8);  // it is empty again
}

TEST_CASE("a truncated section, or one that refers outside itself, is damaged") {
  PhrasesBuilder builder;
  builder.add(0, {1, 2});
  builder.add(1, {2});
  const std::string section = section_of(builder);
  CHECK_THROWS_AS(PhraseIndex(Extent(std::string_view(section).substr(0, section.size() - 4))), Failure);
  const std::string longer = section + "abcd";
  CHECK_THROWS_AS(PhraseIndex(Extent(longer)), Failure);
  CHECK_THROWS_AS(PhraseIndex(Extent("abc")), Failure);
  std::string broken = section;
  broken[16 + 16 + 12] = '\x7f';  // the number of positions of the second entry
  CHECK_THROWS_AS(PhraseIndex(Extent(broken)).tracks_of(2), Failure);
}
