#include "api/requests/answer_cache.h"

#include <doctest/doctest.h>

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
