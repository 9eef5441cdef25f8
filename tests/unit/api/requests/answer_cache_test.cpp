#include "api/requests/answer_cache.h"

#include <doctest/doctest.h>

#include <map>

#include "table/arguments.h"

using namespace tonearm;
using namespace tonearm::api;

namespace {

std::string key_of(std::string_view query, std::string_view version = "v") {
  return answer_key("/v1/search", version, parse_query(query, table::kSearchParameters.query).value());
}

CachedAnswer answer_of(std::string body) { return {std::make_shared<const std::string>(std::move(body)), 1}; }

}  // namespace

TEST_CASE("equal requests have the same key, however they are written") {
  CHECK(key_of("q=a+b&kind=sfx") == key_of("kind=sfx&&q=a%20b"));
  CHECK(key_of("q=") == key_of(""));
  CHECK(key_of("q=a") != key_of("q=b"));
  CHECK(key_of("q=a") != key_of("q=a", "w"));
  CHECK(key_of("q=a&creator=b") != key_of("creator=a&q=b"));
  // No text can imitate another parameter.
  CHECK(key_of("q=a12:1:b") != key_of("q=a&creator=b"));
}

TEST_CASE("the cache observes its bound, and keeps the most recently used entries") {
  AnswerCache cache(64 * 1024);
  const std::string body(500, 'x');
  for (int i = 0; i < 500; ++i) {
    cache.insert(std::to_string(i), answer_of(body));
    CHECK(cache.find("0") != nullptr);
  }
  CHECK(cache.find("1") == nullptr);
  CHECK(*cache.find("499")->body == body);
  int kept = 0;
  for (int i = 0; i < 500; ++i) kept += cache.find(std::to_string(i)) != nullptr ? 1 : 0;
  CHECK(kept > 50);
  CHECK(kept * 500 < 64 * 1024);
  cache.insert("large", answer_of(std::string(32 * 1024, 'x')));
  CHECK(cache.find("large") == nullptr);
  const auto counts = cache.counts();
  CHECK(counts.cache_hits == 500 + 1 + static_cast<std::uint64_t>(kept));
  CHECK(counts.cache_misses == 1 + 500 - static_cast<std::uint64_t>(kept) + 1);
  CHECK(counts.cache_bytes > static_cast<std::size_t>(kept) * body.size());
  CHECK(counts.cache_bytes <= 64 * 1024);
}

TEST_CASE("a cache of size 0 stores nothing") {
  AnswerCache cache(0);
  cache.insert("a", answer_of("body"));
  CHECK(cache.find("a") == nullptr);
}

namespace {

class MemoryAnswers final : public SharedAnswers {
 public:
  std::optional<std::string> find(std::string_view key) override {
    const auto found = entries.find(std::string(key));
    if (found == entries.end()) return std::nullopt;
    return found->second;
  }
  void store(std::string_view key, std::string_view entry) override {
    entries[std::string(key)] = entry;
    ++stored;
  }

  std::map<std::string, std::string> entries;
  int stored = 0;
};

}  // namespace

// HOST-59
TEST_CASE("services that share answers each find what another has made") {
  MemoryAnswers shared;
  AnswerCache one(64 * 1024, &shared);
  AnswerCache other(64 * 1024, &shared);
  CHECK(one.find("a") == nullptr);
  one.insert("a", answer_of("first line\nsecond"));
  one.insert("b", {std::make_shared<const std::string>(""), std::nullopt});
  REQUIRE(other.find("a") != nullptr);
  CHECK(*other.find("a")->body == "first line\nsecond");
  CHECK(other.find("a")->result_count == 1);
  CHECK(other.find("b")->body->empty());
  CHECK(other.find("b")->result_count == std::nullopt);
  CHECK(shared.stored == 2);  // what was found there is not offered again
  shared.entries.clear();
  CHECK(other.find("a") != nullptr);  // it has its own copy now

  // A service whose own cache is too small for an answer finds it in the shared one.
  AnswerCache small(0, &shared);
  small.insert("c", answer_of("body"));
  CHECK(*small.find("c")->body == "body");
}

TEST_CASE("what is no entry of the shared cache counts as missing") {
  MemoryAnswers shared;
  AnswerCache cache(64 * 1024, &shared);
  for (const std::string entry : {"", "body", "12", "x\nbody", "1x\nbody", "-1\nbody", "1 \nbody"}) {
    shared.entries["key"] = entry;
    CHECK(cache.find("key") == nullptr);
  }
}
