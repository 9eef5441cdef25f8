#include "api/requests/query_string.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "table/arguments.h"

namespace tonearm::api {
namespace {

std::string error_of(std::string_view query) {
  const auto values = parse_query(query, table::kSearchParameters.query);
  if (values) return {};
  CHECK(values.error().code == ErrorCode::invalid_parameter);
  return values.error().message;
}

bool accepted(std::string_view query) { return error_of(query).empty(); }

}  // namespace

TEST_CASE("ERROR-3: a malformed tag or domain is offered in the form that is accepted") {
  const struct {
    std::string_view query;
    std::string_view offer;
  } rows[] = {
      {"mood=Peaceful", "peaceful"},
      {"genre=rock,+Hip+Hop", "hip-hop"},
      {"exclude_tags=Calm", "calm"},
      {"kind=sfx&category=FX-A", "fx-a"},
      {"source=a.org,+b.org", "b.org"},
      {"exclude_source=+a.org", "a.org"},
      {"genre=a;b", ""},
      {"genre=a,,b", ""},
      {"genre=+", ""},
      {"source=a+b", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.query);
    const std::string error = error_of(row.query);
    const std::size_t at = error.find(" Did you mean ");
    CHECK(error.substr(std::min(at, error.size())) ==
          (row.offer.empty() ? std::string() : " Did you mean " + std::string(row.offer) + '?'));
  }
}

TEST_CASE("QUERY-1, QUERY-2: the syntax of query strings") {
  const struct {
    std::string_view query;
    bool good;
  } rows[] = {
      {"", true},
      {"&&", true},
      {"kind=music&&limit=5", true},
      {"q=", true},
      {"q", true},
      {"q=&q=rain", false},
      {"q=%ff", false},
      {"q=%4", false},
      {"q=%", false},
      {"%71=rain", true},
      {"genre=", false},
      {"genre=a,,b", false},
      {"genre=a,", false},
      {"genre=a,a", true},
      {"genre=A", false},
      {"genre=a b", false},
      {"genre=hip-hop,r_b,8bit", true},
      {"kind=music&kind=music", false},
      {"kind=Music", false},
      {"nothing=1", false},
      {"=1", false},
      {"Q=rain", false},
      {"limit=0", false},
      {"limit=1", true},
      {"limit=50", true},
      {"limit=51", false},
      {"limit=007", true},
      {"limit=-1", false},
      {"limit=1.0", false},
      {"limit=99999999999999999999999", false},
      {"cursor=0", true},
      {"cursor=999999999", true},
      {"cursor=1000000000", false},
      {"cursor=-1", false},
      {"tempo=90-120", true},
      {"tempo=0-999", true},
      {"tempo=120-120", true},
      {"tempo=120-90", false},
      {"tempo=90", false},
      {"tempo=-90", false},
      {"tempo=90-1000", false},
      {"tempo=90-", false},
      {"tempo=9.5-10", false},
      {"length=xs,s,m,l", true},
      {"length=xl", false},
      {"energy=calm", true},
      {"tone=bright,dark", true},
      {"loops=1", true},
      {"loops=yes", false},
      {"commercial=1", false},
      {"commercial=TRUE", false},
      {"license=cc0,cc-by-nc-sa-4.0", true},
      {"license=cc-by-nd-4.0", false},
      {"license=unknown", false},
      {"sort=short", true},
      {"sort=best", false},
      {"seed=Az0_-", true},
      {"seed=a.b", false},
      {"creator=", false},
      {"source=example.org,Example.COM", true},
      {"source=a%20b", false},
      {"source=http://example.org", false},
      {"fields=id", true},
      {"fields=license.id,tags", true},
      {"fields=license.nothing", false},
      {"fields=id,", false},
      {"fields=untrusted_fields.x", false},
  };
  for (const auto& row : rows) {
    CAPTURE(row.query);
    CHECK(accepted(row.query) == row.good);
  }
}

TEST_CASE("Lengths are counted in code points") {
  const auto repeated = [](std::string_view text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
  };
  CHECK(accepted("q=" + repeated("%C3%A9", 500)));
  CHECK_FALSE(accepted("q=" + repeated("%C3%A9", 501)));
  CHECK(accepted("creator=" + repeated("x", 200)));
  CHECK_FALSE(accepted("creator=" + repeated("x", 201)));
  CHECK(accepted("seed=" + repeated("x", 64)));
  CHECK_FALSE(accepted("seed=" + repeated("x", 65)));
}

TEST_CASE("A message names the parameter, what it accepts, and the near match") {
  CHECK(error_of("limit=0") == "limit must be a whole number from 1 to 50; got \"0\".");
  CHECK(error_of("knid=sfx") == "The parameter \"knid\" is not known here. Did you mean kind?");
  CHECK(error_of("sort=relevence").find("Did you mean relevance?") != std::string::npos);
  CHECK(error_of("fields=licence").find("Did you mean license?") != std::string::npos);
  CHECK(error_of("limit=" + std::string(500, '7')).size() < 200);
}

TEST_CASE("Decimals are stored in thousandths") {
  const auto values = parse_query("min_bpm=90.25&max_seconds=0.001", table::kSimilarParameters.query);
  REQUIRE(values.has_value());
  CHECK(values->find("min_bpm")->number == 90'250);
  CHECK(values->find("max_seconds")->number == 1);
  for (const std::string_view bad : {"1e3", "-1", "1.", ".5", "1234567", "1.2345", "+1", "NaN", "0x1"}) {
    CHECK(parse_query("min_bpm=" + std::string(bad), table::kSimilarParameters.query).has_error());
  }
}

TEST_CASE("Seeds are one to ten ids, and repeated ones count once") {
  const auto seeds = [](const std::string& list) {
    return parse_query("seeds=" + list, table::kCollectionSimilarParameters.query);
  };
  CHECK(seeds("b-2,a-1,b-2")->find("seeds")->items == std::vector<std::string>{"b-2", "a-1"});
  CHECK(seeds("No%20Such-%C3%A9")->find("seeds")->items.size() == 1);
  CHECK(seeds("1,2,3,4,5,6,7,8,9,10,1,2").has_value());
  for (const char* bad : {"", ",", "a-1,", "a-1,,b-2", "1,2,3,4,5,6,7,8,9,10,11"}) CHECK(seeds(bad).has_error());
  CHECK(seeds(std::string(200, 'x')).has_value());
  CHECK(seeds("a-1," + std::string(201, 'x')).has_error());
  CHECK(seeds("a,,b").error().message == "seeds must be a comma-separated list of 1 to 10 track ids; got \"a,,b\".");
}

TEST_CASE("The similar list of a collection accepts the parameters of the specification") {
  const auto good = [](std::string_view query) {
    return parse_query(query, table::kCollectionSimilarParameters.query).has_value();
  };
  for (const char* query :
       {"include_members=true", "include_members=false", "limit=50", "cursor=999999999", "min_bpm=0&max_bpm=90.5",
        "min_seconds=1&max_seconds=2.125", "commercial=false", "loops_only=true", "credit=requested"}) {
    CAPTURE(query);
    CHECK(good(query));
  }
  for (const char* query : {"include_members=1", "limit=51", "limit=0", "cursor=1000000000", "min_bpm=-1", "credit=any",
                            "loops=true", "fields=id", "seeds=a&seeds=b"}) {
    CAPTURE(query);
    CHECK_FALSE(good(query));
  }
}

TEST_CASE("ERROR-7: an error names the parameter as the request does") {
  const struct {
    std::string_view query;
    std::string_view parameter;
  } rows[] = {
      {"limit=0", "limit"},    {"genre=", "genre"},        {"q=%ff", "q"},
      {"q=%4", "q"},           {"kind=sfx&kind=", "kind"}, {"nothing=1", "nothing"},
      {"Query=rain", "Query"}, {"a%01b=1", "ab"},          {"license=cc0,cc-by", "license"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.query);
    CHECK(parse_query(row.query, table::kSearchParameters.query).error().parameter == row.parameter);
  }
  CHECK(parse_query("", table::kTracksParameters.query).error().parameter == "ids");
}

TEST_CASE("ERROR-3: a name of another API is offered ours") {
  const auto offered = [](std::string_view name, std::span<const table::Parameter> parameters) {
    const std::string message = parse_query(std::string(name) + "=x", parameters).error().message;
    const std::size_t at = message.find("Did you mean ");
    return at == std::string::npos ? std::string() : message.substr(at + 13, message.size() - at - 14);
  };
  const struct {
    std::string_view given;
    std::string_view meant;
  } rows[] = {
      {"query", "q"},
      {"search", "q"},
      {"term", "q"},
      {"text", "q"},
      {"namesearch", "q"},
      {"page_size", "limit"},
      {"pageSize", "limit"},
      {"per-page", "limit"},
      {"count", "limit"},
      {"page", "cursor"},
      {"offset", "cursor"},
      {"license_type", "commercial"},
      {"ccnc", "commercial"},
      {"ccsa", "share_alike"},
      {"order", "sort"},
      {"artist_name", "creator"},
      {"username", "creator"},
      {"excluded_source", "exclude_source"},
      {"speed", "tempo"},
      {"bpm", "tempo"},
      {"vocalinstrumental", "vocals"},
      {"group_by_pack", "variants"},
      {"durationbetween", "min_seconds"},
      {"minBpm", "min_bpm"},
      {"gener", "genre"},
      {"callback", ""},
  };
  for (const auto& row : rows) {
    CAPTURE(row.given);
    CHECK(offered(row.given, table::kSearchParameters.query) == row.meant);
  }
  CHECK(offered("bpm", table::kSimilarParameters.query) == "min_bpm");
  CHECK(offered("id", table::kTracksParameters.query) == "ids");
}

}  // namespace tonearm::api
