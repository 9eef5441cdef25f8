#include "table/bodies.h"

#include <doctest/doctest.h>

#include <boost/json/parse.hpp>

namespace tonearm::table {
namespace {

template <class View>
View read(const Body<View>& type, std::string_view json) {
  const boost::json::value value = boost::json::parse(json);
  View body;
  erased::fill(&body, type, value.get_object());
  return body;
}

}  // namespace

TEST_CASE("Fields of a body fill the members that their rows name") {
  CHECK(read(kPlanBody, R"({"plan":"pro"})").plan == Plan::pro);
  CHECK(read(kSessionBody, "{}").ttl_s == kSessionSecondsMax);
  CHECK(read(kSessionBody, R"({"ttl_s":60})").ttl_s == 60);
  const CollectionBody made = read(kCollectionBody, R"({"name":"  Rainy  ","commercial":true})");
  CHECK(made.name == "Rainy");
  CHECK(made.commercial);
  const CollectionChangeBody changed = read(kCollectionChangeBody, R"({"revision":3,"commercial":false})");
  CHECK(changed.revision == 3);
  CHECK_FALSE(changed.settings.name.has_value());
  CHECK(changed.settings.commercial == false);
  CHECK(read(kOrderBody, R"({"tracks":["b","a"]})").tracks == std::vector<std::string>{"b", "a"});
}

TEST_CASE("Absent fields keep their members, and null clears them") {
  const ItemChange none = read(kItemChangeBody, R"({"position":4})").change;
  CHECK(none.position == 4);
  CHECK_FALSE(none.note.has_value());
  CHECK_FALSE(none.modifications.has_value());
  const ItemChange cleared = read(kItemChangeBody, R"({"note":null,"modifications":null})").change;
  CHECK(cleared.note == "");
  CHECK(cleared.modifications == Modifications{});
  const ItemChange set =
      read(kItemChangeBody, R"({"modifications":{"chips":["edited","trimmed"],"text":null}})").change;
  CHECK(set.modifications->chips == std::array{true, false, false, true});
  CHECK(set.modifications->text.empty());
}

TEST_CASE("Note and modifications are ignored if several tracks are added") {
  const ItemsBody several = read(kItemsBody, R"({"tracks":["a","b"],"note":7,"modifications":"x","revision":2})");
  CHECK(several.tracks == std::vector<std::string>{"a", "b"});
  CHECK(several.note.empty());
  CHECK(several.revision == 2);
  const ItemsBody one = read(kItemsBody, R"({"track":"a","note":"n"})");
  CHECK(one.track == "a");
  CHECK(one.note == "n");
  CHECK_FALSE(one.tracks.has_value());
}

}  // namespace tonearm::table
