#include "state/collections/collection_tracks.h"

#include <doctest/doctest.h>

#include "account_fixture.h"
#include "state/collections/collections.h"

using namespace tonearm;
using namespace tonearm::state;
using namespace tonearm::test;

namespace {

/// An account whose host stores tracks, with a collection.
struct TracksFixture : AccountFixture {
  std::string new_collection(const std::string& name) {
    return collections.create(writer, {name, false}).value().value.id;
  }
  std::int64_t rows() { return number("SELECT COUNT(*) FROM collection_tracks"); }

  std::string account = new_account(Plan::pro);
  Writer writer{account, accounts->create_key(account)->key_id};
  Collections collections{{.clock = clock, .random = random, .store = store, .stores_tracks = true}};
  std::string id = new_collection("Rain");
};

}  // namespace

// HOST-63
TEST_CASE("the tracks of a collection are stored for one version of the catalog, as long as the collection exists") {
  TracksFixture fixture;
  const std::string& account = fixture.account;
  const std::string& id = fixture.id;
  Collections& collections = fixture.collections;
  const std::string other = fixture.new_collection("Snow");
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
  CHECK(fixture.rows() == 2);

  REQUIRE(collections.remove(fixture.writer, id).has_value());
  CHECK(fixture.rows() == 1);
  collections.save_track_texts(account, id, "v2", {"too late"});
  CHECK(collections.track_texts(account, id, "v2").empty());
  CHECK(collections.track_texts(account, other, "v1") == std::vector<std::string>{"of the other one"});
}

// HOST-63, RECORD-6
TEST_CASE("the stored tracks of an account are removed with it, however many there are") {
  TracksFixture fixture;
  const std::string& account = fixture.account;
  const std::string& id = fixture.id;
  Collections& collections = fixture.collections;
  collections.save_track_texts(account, id, "v1", std::vector<std::string>(1'100, "x"));
  CHECK(fixture.accounts->delete_account(account).has_value());
  CHECK(fixture.rows() > 0);
  fixture.retain_all();
  CHECK(fixture.rows() == 0);
  collections.save_track_texts(account, id, "v1", {"too late"});
  CHECK(fixture.rows() == 0);
}
