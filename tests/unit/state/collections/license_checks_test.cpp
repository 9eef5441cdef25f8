#include "state/collections/license_checks.h"

#include <doctest/doctest.h>

#include "account_fixture.h"
#include "collection_samples.h"
#include "state/collections/collections.h"

using namespace tonearm;
using namespace tonearm::state;
using namespace tonearm::test;

namespace {

const std::string kVersion = "0123456789abcdef";

struct CheckFixture : AccountFixture {
  CheckFixture() : account(new_account(Plan::pro)), writer{account, accounts->create_key(account)->key_id} {}

  std::string filled(std::size_t from, std::size_t to) {
    std::string id = collections.create(writer, {"Rain", false}).value().value.id;
    add(id, from, to);
    return id;
  }
  void add(const std::string& id, std::size_t from, std::size_t to) {
    const auto tracks = tracks_to_add(from, to);
    const auto adding = [&](const Collection& collection, const Edit& edit) -> Result<Collection> {
      return with_tracks(collection, edit, tracks)->collection;
    };
    REQUIRE(collections.change(writer, id, {}, adding).has_value());
  }
  std::vector<UncheckedCollection> unchecked() {
    return collections.unchecked(account, kVersion, kCollectionTracksMax);
  }

  Collections collections{{clock, random, store}};
  std::string account;
  Writer writer;
};

}  // namespace

// COLLECTION-16
TEST_CASE("a check is valid for the revision, the items and the catalog version that were compared") {
  CheckFixture fixture;
  const std::string id = fixture.filled(0, 3);
  const auto before = fixture.unchecked();
  REQUIRE(before.size() == 1);
  CHECK(before[0].collection.id == id);
  REQUIRE(before[0].items.size() == 3);
  CHECK(before[0].items[1].track_id == "t-1");
  CHECK(before[0].items[1].terms == record_of("t-1").terms);
  CHECK_FALSE(fixture.collections.list(fixture.account, kVersion)[0].missing.has_value());

  const LicenseCheck check{before[0].collection, {{"t-2", true}, {"t-0", false}}};
  fixture.collections.save_checks(fixture.account, kVersion, {check});
  CHECK(fixture.unchecked().empty());
  const auto summary = fixture.collections.list(fixture.account, kVersion).at(0);
  CHECK(summary.license_changed == 1);
  CHECK(summary.missing == 1);
  CHECK_FALSE(fixture.collections.list(fixture.account, "other").at(0).missing.has_value());
  const auto page = fixture.collections.license_changes(fixture.account, kVersion, 50, 0);
  REQUIRE(page.changes.size() == 2);
  CHECK(page.total == 2);
  CHECK(page.unchecked == 0);
  CHECK(page.changes[0].track_id == "t-2");
  CHECK(page.changes[0].missing);
  CHECK(page.changes[1].recorded.title == "Title of t-0");
  CHECK(fixture.collections.license_changes(fixture.account, "other", 50, 0).unchecked == 1);

  fixture.add(id, 3, 4);
  CHECK(fixture.unchecked().size() == 1);
  fixture.collections.save_checks(fixture.account, kVersion, {check});  // of the earlier revision
  CHECK(fixture.unchecked().size() == 1);
  CHECK(fixture.collections.license_changes(fixture.account, kVersion, 50, 0).total == 0);
}

TEST_CASE("checks are deleted with their collection or account, and none is saved afterwards") {
  CheckFixture fixture;
  const std::string id = fixture.filled(0, 2);
  const LicenseCheck check{fixture.unchecked().at(0).collection, {}};
  const auto kept = [&] { return fixture.number("SELECT COUNT(*) FROM license_checks"); };
  fixture.collections.save_checks(fixture.account, kVersion, {check});
  CHECK(kept() == 1);
  REQUIRE(fixture.collections.remove(fixture.writer, id).has_value());
  CHECK(kept() == 0);
  fixture.collections.save_checks(fixture.account, kVersion, {check});
  CHECK(kept() == 0);
}

TEST_CASE("whole collections are returned up to a number of items, the most recently changed first") {
  CheckFixture fixture;
  fixture.collections.create(fixture.writer, {"Empty", false});
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < 3; ++i) ids.push_back(fixture.filled(0, 2));
  const auto some = [&](std::size_t items_max) {
    std::vector<std::string> found;
    for (const auto& one : fixture.collections.unchecked(fixture.account, kVersion, items_max)) {
      CHECK(one.items.size() == 2);
      found.push_back(one.collection.id);
    }
    return found;
  };
  CHECK(some(2) == std::vector{ids[2]});
  CHECK(some(3) == std::vector{ids[2]});
  CHECK(some(4) == std::vector{ids[2], ids[1]});
  CHECK(some(kCollectionTracksMax) == std::vector{ids[2], ids[1], ids[0]});
}
