#include "state/collections/collection_tracks.h"

#include <doctest/doctest.h>

#include "account_fixture.h"
#include "state/collections/collections.h"

using namespace tonearm;
using namespace tonearm::state;
using namespace tonearm::test;

// HOST-63
TEST_CASE("the tracks of a collection are stored for one version of the catalog, as long as the collection exists") {
  AccountFixture fixture;
  const std::string account = fixture.new_account(Plan::pro);
  const Writer writer{account, fixture.accounts->create_key(account)->key_id};
  Collections collections({fixture.clock, fixture.random, fixture.store, true});
  const std::string id = collections.create(writer, {"Rain", false}).value().value.id;
  const std::string other = collections.create(writer, {"Snow", false}).value().value.id;
  CHECK(collections.track_texts(account, id, "v1").empty());

  const std::vector<std::string> texts{"first", "second", "third"};
  collections.save_track_texts(account, id, "v1", texts);
  collections.save_track_texts(account, other, "v1", {"of the other one"});
  CHECK(collections.track_texts(account, id, "v1") == texts);
  CHECK(collections.track_texts(account, id, "v2").empty());
  CHECK(collections.track_texts("acc_other", id, "v1").empty());

  collections.save_track_texts(account, id, "v2", {"new"});
  CHECK(collections.track_texts(account, id, "v1").empty());
  CHECK(collections.track_texts(account, id, "v2") == std::vector<std::string>{"new"});
  CHECK(fixture.number("SELECT COUNT(*) FROM collection_tracks") == 2);

  REQUIRE(collections.remove(writer, id).has_value());
  CHECK(fixture.number("SELECT COUNT(*) FROM collection_tracks") == 1);
  collections.save_track_texts(account, id, "v2", {"too late"});
  CHECK(collections.track_texts(account, id, "v2").empty());
  CHECK(collections.track_texts(account, other, "v1") == std::vector<std::string>{"of the other one"});
}

// HOST-63, RECORD-6
TEST_CASE("the stored tracks of an account are removed with it, however many there are") {
  AccountFixture fixture;
  const std::string account = fixture.new_account(Plan::pro);
  const Writer writer{account, fixture.accounts->create_key(account)->key_id};
  Collections collections({fixture.clock, fixture.random, fixture.store, true});
  const std::string id = collections.create(writer, {"Rain", false}).value().value.id;
  collections.save_track_texts(account, id, "v1", std::vector<std::string>(1'100, "x"));
  CHECK(fixture.accounts->delete_account(account).has_value());
  CHECK(fixture.number("SELECT COUNT(*) FROM collection_tracks") > 0);
  fixture.retain_all();
  CHECK(fixture.number("SELECT COUNT(*) FROM collection_tracks") == 0);
  collections.save_track_texts(account, id, "v1", {"too late"});
  CHECK(fixture.number("SELECT COUNT(*) FROM collection_tracks") == 0);
}
