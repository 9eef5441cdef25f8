#include "mcp/compact.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "reflection/track_type.h"
#include "table/answers.h"

namespace tonearm::mcp {
namespace {

TEST_CASE("MCP-11: text loses invisible characters, and nothing else") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"Rain", "Rain"},
      {"two\nlines\tand a tab", "two\nlines\tand a tab"},
      {std::string("nul\0, bell\a, escape\x1b[31m, delete\x7f", 33), "nul, bell, escape[31m, delete"},
      {"C1 \xc2\x85 and \xc2\x9b", "C1  and "},
      {"over\u202eride\u202c \u2066isolate\u2069", "override isolate"},
      {"marks \u200e\u200f\u061c", "marks "},
      {"tags \U000E0001\U000E0049\U000E0067\U000E007F", "tags "},
      {"selectors \U000E0100\U000E01EF", "selectors "},
      {"zero\u200bwidth\u2060word\ufeff", "zerowidthword"},
      {"\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"},
      {"family \U0001F468\u200d\U0001F469 \u2764\ufe0f", "family \U0001F468\u200d\U0001F469 \u2764\ufe0f"},
      {"e\u0301 \u00e9 \u65e5\u672c", "e\u0301 \u00e9 \u65e5\u672c"}};
  for (const auto& [text, expected] : cases) CHECK(clean_text(text) == expected);
}

std::string written(std::string_view json, const table::ObjectType* type, Detail detail) {
  json::Writer out;
  write_clean(out, boost::json::parse(json), type, detail);
  return out.take();
}

TEST_CASE("MCP-9: a compact track has the fields needed to choose, and names its untrusted fields") {
  const std::string track =
      R"({"id":"a-1","title":"T\u202e","description":"long","duration_s":183.5,"bpm":120,"tags":{"genre":["ambient"],"sfx":[]},)"
      R"("license":{"id":"cc0","name":"CC0 1.0"},"untrusted_fields":["title","description","tags"]})";
  CHECK(
      written(track, &table::kTrackType, Detail::compact) ==
      R"({"track_id":"a-1","id":"a-1","title":"T","duration_s":183.5,"bpm":120,"tags":{"genre":["ambient"]},"license":{"name":"CC0 1.0"},"untrusted_fields":["title","tags"]})");
  CHECK(
      written(track, &table::kTrackType, Detail::full) ==
      R"({"track_id":"a-1","id":"a-1","title":"T","description":"long","duration_s":183.5,"bpm":120,"tags":{"genre":["ambient"],"sfx":[]},)"
      R"("license":{"id":"cc0","name":"CC0 1.0"},"untrusted_fields":["title","description","tags"]})");
}

TEST_CASE("MCP-9: a compact track is short, even if its title, artist and tags are long") {
  const std::string name(5'000, 'x');
  std::string tags;
  for (int i = 0; i < 100; ++i) tags += (i == 0 ? "\"t" : ",\"t") + std::to_string(i) + '"';
  const std::string track =
      R"({"title":")" + name + R"(","artist":"\u00e4)" + name + R"(","tags":{"mood":[)" + tags + "]}}";
  CHECK(written(track, &table::kTrackType, Detail::compact) ==
        R"({"title":")" + std::string(120, 'x') + "\u2026\",\"artist\":\"\u00e4" + std::string(119, 'x') + "\u2026\"," +
            R"("tags":{"mood":["t0","t1","t2","t3","t4","t5","t6","t7","t8","t9","t10","t11"]}})");
  CHECK(written(track, &table::kTrackType, Detail::full).size() > 10'000);
}

TEST_CASE("MCP-9: a compact track has the first link at which a person can listen, or else its page") {
  const auto links = [](std::string_view preview, std::string_view original) {
    return written(R"({"source_page":"http://s","preview_url":)" + std::string(preview) + R"(,"original_url":)" +
                       std::string(original) + '}',
                   &table::kTrackType, Detail::compact);
  };
  CHECK(links(R"("http://p")", R"("http://o")") == R"({"preview_url":"http://p"})");
  CHECK(links("null", R"("http://o")") == R"({"original_url":"http://o"})");
  CHECK(links("null", "null") == R"({"source_page":"http://s"})");
}

TEST_CASE("MCP-7: the parameters of a suggestion are arguments in their JSON types") {
  const std::string page =
      R"({"suggestions":[{"message":"m","parameters":{"q":"a,b","loops":"1","commercial":"false","min_bpm":"90.5",)"
      R"("limit":"5","genre":"x,y","sort":"newest"},"total":3}]})";
  for (const Detail detail : {Detail::compact, Detail::full}) {
    CHECK(written(page, &table::kSearchPageType, detail) ==
          R"({"suggestions":[{"message":"m","parameters":{"q":"a,b","loops":true,"commercial":false,"min_bpm":90.5,)"
          R"("limit":5,"genre":["x","y"],"sort":"newest"},"total":3}]})");
  }
}

TEST_CASE("SERVICE-3: numbers are written as plain decimals") {
  CHECK(written("[0.001,183.5,1234567.25,0.1,4233599.999,18446744073709551615,-3]", nullptr, Detail::full) ==
        "[0.001,183.5,1234567.25,0.1,4233599.999,18446744073709551615,-3]");
  CHECK(written("[-0.5,-0.0,-1234567.000001,1e3,5E-1,900000000.5]", nullptr, Detail::full) ==
        "[-0.5,0,-1234567.000001,1000,0.5,900000000.5]");
}

TEST_CASE("MCP-7: numbers that are no short decimals keep their value") {
  for (const char* number : {"1e300", "-1e300", "1e-7", "-2.5e-9", "0.1234567", "18446744073709551616", "9.3e12"}) {
    CAPTURE(number);
    const std::string text = written('[' + std::string(number) + ']', nullptr, Detail::full);
    CHECK(boost::json::parse(text) == boost::json::parse('[' + std::string(number) + ']'));
    CHECK(text.find('E') != std::string::npos);
  }
}

}  // namespace
}  // namespace tonearm::mcp
