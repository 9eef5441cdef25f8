#include "catalog/writer/completions_builder.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "fakes.h"
#include "tonearm/sqlite.h"

using namespace tonearm;
using namespace tonearm::catalog;

namespace {

/// Returns the texts of a track whose only word is the numbered one.
TrackText numbered_text(std::uint32_t word) {
  std::string number = std::to_string(word);
  number.insert(0, 6 - number.size(), '0');
  TrackText text;
  text.description = "w" + number;
  return text;
}

}  // namespace

TEST_CASE("a hash table has the values that were inserted, while it grows") {
  test::SeededRandom random(5);
  HashTable<std::uint32_t> table;
  std::map<std::uint64_t, std::uint32_t> expected;
  for (int i = 0; i < 20'000; ++i) {
    // Hashes with the same lowest bits compete for one slot.
    const std::uint64_t hash = i % 3 == 0 ? random.next() << 20U : 2 + random.next() % 5'000;
    const auto [value, is_new] = table.insert(hash);
    CHECK(is_new == !expected.contains(hash));
    CHECK(value == expected[hash]);
    value = ++expected[hash];
  }
  CHECK(table.size() == expected.size());
  std::map<std::uint64_t, std::uint32_t> found;
  table.each([&](std::uint64_t hash, std::uint32_t value) { found[hash] = value; });
  CHECK(found == expected);
}

// COMPLETE-2
TEST_CASE("of too many frequent words, those of the most tracks are offered, then the first by name") {
  constexpr std::uint32_t kMore = 5;  // words that are in four tracks; all others are in three
  const auto words = static_cast<std::uint32_t>(kFrequentMax) + 10;
  const sql::SqliteHandle database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  Tokenizer tokenizer(database.get());
  CompletionsBuilder builder;
  const Track track;
  for (std::uint32_t round = 0; round < kFrequentMin; ++round) {
    for (std::uint32_t word = 0; word < words; ++word) builder.add(track, numbered_text(word), tokenizer);
  }
  for (std::uint32_t word = words - kMore; word < words; ++word) builder.add(track, numbered_text(word), tokenizer);
  builder.select_frequent();
  std::set<std::string> offered;
  builder.encode(
      [&](Kind kind, std::span<CountedText> texts) {
        CHECK((kind == Kind::music || texts.empty()));
        for (CountedText& it : texts) {
          offered.insert(it.text);
          it.total = 1;
        }
      },
      tokenizer);
  CHECK(offered.size() == kFrequentMax);
  for (std::uint32_t word = words - kMore; word < words; ++word) {
    CHECK(offered.contains(numbered_text(word).description));
  }
  CHECK(offered.contains(numbered_text(words - 16).description));
  CHECK_FALSE(offered.contains(numbered_text(words - 15).description));
}
