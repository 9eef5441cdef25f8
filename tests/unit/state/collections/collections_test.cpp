#include "state/collections/collections.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <iostream>
#include <map>
#include <random>

#include "account_fixture.h"
#include "collection_model.h"
#include "collection_samples.h"

using namespace tonearm;
using namespace tonearm::state;
using namespace tonearm::test;

namespace {

constexpr std::int64_t kMinuteMs = 60'000;

/// Counts written rows.
class CountingStore final : public sql::Store {
 public:
  explicit CountingStore(sql::Store& store) : store_(store) {}

  void transact(const std::function<void(sql::Transaction&)>& body) override {
    store_.transact([&](sql::Transaction& inner) {
      Counter counter(inner, writes_);
      body(counter);
    });
  }
  std::size_t take_writes() { return writes_.exchange(0); }

 private:
  class Counter final : public sql::Transaction {
   public:
    Counter(sql::Transaction& inner, std::atomic<std::size_t>& writes) : inner_(inner), writes_(writes) {}
    sql::Rows execute(std::string_view statement, const sql::Row& parameters) override {
      if (!statement.starts_with("SELECT")) ++writes_;
      return inner_.execute(statement, parameters);
    }

   private:
    sql::Transaction& inner_;
    std::atomic<std::size_t>& writes_;
  };

  sql::Store& store_;
  std::atomic<std::size_t> writes_ = 0;
};

struct CollectionFixture : AccountFixture {
  using AccountFixture::AccountFixture;

  CollectionChange adding(std::vector<TrackToAdd> tracks) {
    return [tracks = std::move(tracks)](const Collection& collection, const Edit& edit) -> Result<Collection> {
      auto added = with_tracks(collection, edit, tracks);
      if (!added) return added.error();
      return std::move(added->collection);
    };
  }
  static CollectionChange renaming(const std::string& name) {
    return [name](const Collection& collection, const Edit& edit) {
      return with_settings(collection, edit, {name, {}}, {});
    };
  }
  std::string made(const std::string& account, const std::string& name = "Rain") {
    return collections.create(writer(account), {name, false}).value().value.id;
  }
  std::vector<std::string> names(const std::string& account) {
    std::vector<std::string> names;
    for (const auto& summary : collections.list(account)) names.push_back(summary.name);
    return names;
  }

  /// Returns a writer with a key of the account, which the first call creates.
  Writer writer(const std::string& account) {
    std::string& key_id = key_ids_[account];
    if (key_id.empty()) {
      const auto made = accounts->create_key(account);
      key_id = made ? made->key_id : "key_none";
    }
    return {account, key_id};
  }

  CountingStore counting{store};
  Collections collections{{clock, random, counting}};

 private:
  std::map<std::string, std::string> key_ids_;
};

template <class Value>
ErrorCode refusal(const Result<Value>& result) {
  REQUIRE(result.has_error());
  return result.error().code;
}

}  // namespace

TEST_CASE("creations, changes and deletions are visible to the next call and after reopening") {
  const StateFile file;
  std::string account;
  std::string id;
  StoredCollection saved;
  {
    CollectionFixture fixture(file.name());
    account = fixture.new_account();
    const auto created = fixture.collections.create(fixture.writer(account), {"Rain", true}).value();
    id = created.value.id;
    CHECK(created.value.revision == 1);
    CHECK(created.value.created_s == FakeClock::kStartMs / 1'000);
    CHECK_FALSE(created.read_only);
    fixture.clock.advance_ms(kMinuteMs);
    TrackToAdd track = track_to_add("t-0");
    track.note = "line\r\nbreak\t\"; DROP TABLE collections; --";
    track.modifications = {{true, false, false, true}, "text"};
    TrackToAdd bare = track_to_add("t-1", LicenseId::cc0);
    bare.record->source_page.clear();
    bare.record->artist.clear();
    bare.record->credit_as = "Ada E. \"Example\"";
    bare.record->terms.attribution = Attribution::requested;
    bare.record->license_url.clear();
    saved = fixture.collections.change(fixture.writer(account), id, {}, fixture.adding({track, bare})).value();
    CHECK(saved.value.updated_s == saved.value.created_s + 60);
    CHECK(saved.value.items[0].record.recorded_s == saved.value.updated_s);
  }
  CollectionFixture fixture(file.name());
  CHECK(fixture.collections.find(account, id).value().value == saved.value);
  const auto summaries = fixture.collections.list(account);
  REQUIRE(summaries.size() == 1);
  CHECK(summaries[0].track_count == 2);
  CHECK(summaries[0].revision == 2);
  const auto deleted = fixture.collections.remove(fixture.writer(account), id).value();
  CHECK(deleted.items == 2);
  CHECK(deleted.license_records == 2);
  CHECK(refusal(fixture.collections.find(account, id)) == ErrorCode::not_found);
  CHECK(fixture.collections.remove(fixture.writer(account), id).has_error());
  CHECK(fixture.collections.list(account).empty());
  CHECK(fixture.number("SELECT COUNT(*) FROM collection_items") == 0);
}

TEST_CASE("a collection of another account is not found by any function") {
  CollectionFixture fixture;
  const std::string owner = fixture.new_account(Plan::pro);
  const std::string other = fixture.new_account(Plan::pro);
  const std::string id = fixture.made(owner);
  CHECK(refusal(fixture.collections.find(other, id)) == ErrorCode::not_found);
  CHECK(refusal(fixture.collections.change(fixture.writer(other), id, {}, fixture.renaming("x"))) ==
        ErrorCode::not_found);
  CHECK(fixture.collections.remove(fixture.writer(other), id).has_error());
  CHECK(fixture.collections.list(other).empty());
  CHECK(fixture.collections.find(owner, id).value().value.name == "Rain");
  for (const std::string bad : {"", "x", "col_", "col_aaaaaaaaaaaaaaaaaaaaaaaaa'"}) {
    CHECK(refusal(fixture.collections.find(owner, bad)) == ErrorCode::not_found);
  }
}

TEST_CASE("the list starts with the most recently changed collection, even while the clock is stopped") {
  CollectionFixture fixture;
  const std::string account = fixture.new_account(Plan::pro);
  const std::string a = fixture.made(account, "a");
  fixture.made(account, "b");
  const std::string c = fixture.made(account, "c");
  CHECK(fixture.names(account) == std::vector<std::string>{"c", "b", "a"});
  CHECK(fixture.collections.change(fixture.writer(account), a, {}, fixture.renaming("A")).has_value());
  fixture.clock.advance_ms(-3 * kMinuteMs);
  CHECK(fixture.names(account) == std::vector<std::string>{"A", "c", "b"});
  CHECK(fixture.collections.change(fixture.writer(account), c, {}, fixture.renaming("c"))
            .has_value());  // changes nothing
  CHECK(fixture.names(account) == std::vector<std::string>{"A", "c", "b"});
  fixture.collections.remove(fixture.writer(account), a);
  fixture.made(account, "d");
  CHECK(fixture.names(account) == std::vector<std::string>{"d", "c", "b"});
}

TEST_CASE(
    "on a lapsed account the collection changed last is editable, the others are read-only; deleting moves that") {
  CollectionFixture fixture;
  const std::string account = fixture.new_account(Plan::pro);
  const std::string a = fixture.made(account, "a");
  const std::string b = fixture.made(account, "b");
  REQUIRE(fixture.accounts->set_plan(account, Plan::free).has_value());
  CHECK(fixture.collections.find(account, a).value().read_only);
  CHECK_FALSE(fixture.collections.find(account, b).value().read_only);
  CHECK(fixture.collections.list(account)[1].read_only);
  CHECK(refusal(fixture.collections.change(fixture.writer(account), a, {}, fixture.renaming("x"))) ==
        ErrorCode::read_only);
  const auto changed = fixture.collections.change(fixture.writer(account), b, {}, fixture.renaming("B")).value();
  CHECK_FALSE(changed.read_only);
  CHECK(refusal(fixture.collections.create(fixture.writer(account), {"c", false})) == ErrorCode::pro_required);
  CHECK(fixture.collections.remove(fixture.writer(account), b).has_value());
  CHECK_FALSE(fixture.collections.find(account, a).value().read_only);
  CHECK(fixture.collections.change(fixture.writer(account), a, {}, fixture.renaming("x")).has_value());
  REQUIRE(fixture.accounts->set_plan(account, Plan::pro).has_value());
  const std::string c = fixture.made(account, "c");
  CHECK_FALSE(fixture.collections.find(account, a).value().read_only);
  CHECK(fixture.collections.remove(fixture.writer(account), c).has_value());
}

TEST_CASE("a read-only collection can be deleted") {
  CollectionFixture fixture;
  const std::string account = fixture.new_account(Plan::pro);
  const std::string a = fixture.made(account, "a");
  fixture.made(account, "b");
  REQUIRE(fixture.accounts->set_plan(account, Plan::free).has_value());
  REQUIRE(fixture.collections.find(account, a).value().read_only);
  CHECK(fixture.collections.remove(fixture.writer(account), a).has_value());
}

TEST_CASE("60 collections may be created in 60 minutes, deleted ones included, until the oldest leave the window") {
  CollectionFixture fixture;
  const std::string account = fixture.new_account(Plan::pro);
  for (int i = 0; i < 60; ++i) {
    const std::string id = fixture.made(account);
    if (i % 2 == 0) fixture.collections.remove(fixture.writer(account), id);
    if (i == 0) fixture.clock.advance_ms(kMinuteMs);
  }
  const auto full = fixture.collections.create(fixture.writer(account), {"x", false});
  CHECK(refusal(full) == ErrorCode::collection_limit);
  CHECK(full.error().retry_after_s == 59 * 60);  // COLLECTION-15: when the first leaves the window
  fixture.clock.advance_ms(59 * kMinuteMs - 1);
  CHECK(refusal(fixture.collections.create(fixture.writer(account), {"x", false})) == ErrorCode::collection_limit);
  fixture.clock.advance_ms(1);  // 60 minutes after the first
  CHECK(fixture.collections.create(fixture.writer(account), {"x", false}).has_value());
  CHECK(refusal(fixture.collections.create(fixture.writer(account), {"x", false})) == ErrorCode::collection_limit);
  fixture.clock.advance_ms(kMinuteMs);
  CHECK(fixture.collections.create(fixture.writer(account), {"x", false}).has_value());
  CHECK(fixture.number("SELECT COUNT(*) FROM collection_creations") == 2);
}

TEST_CASE("a plan that starts with more creations than it allows waits until enough leave the window") {
  CollectionFixture fixture;
  const std::string account = fixture.new_account();  // the plan Free allows one after the other
  for (int i = 0; i < 62; ++i) {
    fixture.collections.remove(fixture.writer(account), fixture.made(account));
    fixture.clock.advance_ms(1'000);
  }
  REQUIRE(fixture.accounts->set_plan(account, Plan::pro).has_value());
  const auto full = fixture.collections.create(fixture.writer(account), {"x", false});
  CHECK(refusal(full) == ErrorCode::collection_limit);
  CHECK(full.error().retry_after_s == 3'600 - 60);  // when the third leaves the window
  fixture.clock.advance_ms(full.error().retry_after_s * 1'000);
  CHECK(fixture.collections.create(fixture.writer(account), {"x", false}).has_value());
}

// COLLECTION-13
TEST_CASE("a collection is deleted only at the given revision") {
  CollectionFixture fixture;
  const std::string account = fixture.new_account();
  const std::string id = fixture.made(account);
  CHECK(refusal(fixture.collections.remove(fixture.writer(account), id, 2)) == ErrorCode::stale_revision);
  CHECK(fixture.collections.find(account, id).has_value());
  CHECK(fixture.collections.remove(fixture.writer(account), id, 1).has_value());
  CHECK(refusal(fixture.collections.remove(fixture.writer(account), id, 1)) == ErrorCode::not_found);
}

TEST_CASE("an account has at most 1,000 collections") {
  CollectionFixture fixture;
  const std::string account = fixture.new_account(Plan::unlimited);
  std::string id;
  for (int i = 0; i < 1'000; ++i) id = fixture.made(account);
  CHECK(refusal(fixture.collections.create(fixture.writer(account), {"x", false})) == ErrorCode::collection_limit);
  CHECK(fixture.collections.list(account).size() == 1'000);
  fixture.collections.remove(fixture.writer(account), id);
  CHECK(fixture.collections.create(fixture.writer(account), {"x", false}).has_value());
  CHECK(fixture.number("SELECT COUNT(*) FROM collection_creations") == 0);
}

TEST_CASE("a Free account has one collection, and may create another after deleting it") {
  CollectionFixture fixture;
  const std::string account = fixture.new_account();
  const std::string id = fixture.made(account);
  CHECK(refusal(fixture.collections.create(fixture.writer(account), {"x", false})) == ErrorCode::pro_required);
  fixture.collections.remove(fixture.writer(account), id);
  CHECK(fixture.collections.create(fixture.writer(account), {"x", false}).has_value());
}

TEST_CASE("a request that changes nothing writes nothing, and a change of one item writes only its row") {
  CollectionFixture fixture;
  const std::string account = fixture.new_account();
  const std::string id = fixture.made(account);
  CHECK(fixture.collections.change(fixture.writer(account), id, {}, fixture.adding(tracks_to_add(0, 499))).has_value());
  constexpr std::size_t kRowsPerChange = 2;  // the counter of changes and the collection's own row
  const auto writes = [&](const CollectionChange& change) {
    fixture.counting.take_writes();
    CHECK(fixture.collections.change(fixture.writer(account), id, {}, change).has_value());
    return fixture.counting.take_writes();
  };
  CHECK(writes(fixture.renaming("Rain")) == 0);
  CHECK(writes(fixture.renaming("Storm")) == kRowsPerChange);
  CHECK(writes(fixture.adding(tracks_to_add(499, 500))) == kRowsPerChange + 1);
  CHECK(writes([](const Collection& collection, const Edit& edit) {
          return with_item_changed(collection, edit, "t-7", {"a note", {}, 0});
        }) == kRowsPerChange + 1);
  CHECK(writes([](const Collection& collection, const Edit& edit) { return without_item(collection, edit, "t-3"); }) ==
        kRowsPerChange + 1);
  const auto stored = fixture.collections.find(account, id).value().value;
  CHECK(stored.items.size() == 499);
  CHECK(stored.items.front().track_id == "t-7");
  CHECK(stored.items.front().note == "a note");
}

TEST_CASE("a change that the database rejects changes nothing") {
  CollectionFixture fixture;
  const std::string account = fixture.new_account(Plan::pro);
  const std::string id = fixture.made(account);
  const auto before = fixture.collections.find(account, id).value().value;
  fixture.store.fail(FailingStore::FailAt::before_commit);
  CHECK_THROWS_AS(fixture.collections.create(fixture.writer(account), {"x", false}), sql::Failure);
  CHECK_THROWS_AS(fixture.collections.change(fixture.writer(account), id, {}, fixture.adding(tracks_to_add(0, 3))),
                  sql::Failure);
  CHECK_THROWS_AS(fixture.collections.remove(fixture.writer(account), id), sql::Failure);
  fixture.store.fail(FailingStore::FailAt::none);
  CHECK(fixture.collections.find(account, id).value().value == before);
  CHECK(fixture.names(account) == std::vector<std::string>{"Rain"});
}

TEST_CASE("of two writers with the same revision exactly one succeeds") {
  CollectionFixture fixture;
  const std::string account = fixture.new_account();
  const std::string id = fixture.made(account);
  const Writer by = fixture.writer(account);
  constexpr int kRounds = 50;
  for (int round = 1; round <= kRounds; ++round) {
    const auto write = [&](int writer) {
      const auto outcome = fixture.collections.change(by, id, {.revision = round},
                                                      fixture.renaming(std::to_string(round * 10 + writer)));
      return outcome.has_value();
    };
    auto first = std::async(std::launch::async, write, 1);
    auto second = std::async(std::launch::async, write, 2);
    const int won = static_cast<int>(first.get()) + static_cast<int>(second.get());
    REQUIRE(won == 1);
  }
  CHECK(fixture.collections.find(account, id).value().value.revision == kRounds + 1);
}

TEST_CASE("a deleted account leaves nothing of its collections, and creates no new ones") {
  CollectionFixture fixture;
  const std::string account = fixture.new_account(Plan::pro);
  const std::string kept = fixture.new_account(Plan::pro);
  for (const std::string& owner : {account, kept}) {
    const std::string id = fixture.made(owner);
    REQUIRE(fixture.collections.change(fixture.writer(owner), id, {}, fixture.adding(tracks_to_add(0, 2))).has_value());
  }
  REQUIRE(fixture.accounts->delete_account(account).has_value());
  for (const std::string table : {"collections", "collection_items", "collection_creations", "collection_changes"}) {
    CAPTURE(table);
    CHECK(fixture.number("SELECT COUNT(DISTINCT account) FROM " + table) == 1);  // the other one
  }
  CHECK(refusal(fixture.collections.create(fixture.writer(account), {"x", false})) == ErrorCode::invalid_api_key);
  CHECK(fixture.collections.list(account).empty());
}

// KEY-13
TEST_CASE("a write is rejected and changes nothing if its key became invalid after admission") {
  CollectionFixture fixture;
  const std::string account = fixture.new_account(Plan::pro);
  const std::string id = fixture.made(account);
  const auto before = fixture.collections.find(account, id).value().value;
  const auto check_refused = [&](const Writer& writer) {
    CHECK(refusal(fixture.collections.create(writer, {"x", false})) == ErrorCode::invalid_api_key);
    CHECK(refusal(fixture.collections.change(writer, id, {}, fixture.renaming("x"))) == ErrorCode::invalid_api_key);
    CHECK(refusal(fixture.collections.remove(writer, id)) == ErrorCode::invalid_api_key);
    CHECK(fixture.collections.find(account, id).value().value == before);
    CHECK(fixture.names(account) == std::vector<std::string>{"Rain"});
  };
  const Writer by_key = fixture.writer(account);
  const Writer by_session{account, fixture.accounts->create_session_key(account, 60).value().key_id};
  check_refused({account, "key_unknown"});
  check_refused({account, fixture.writer(fixture.new_account()).key_id});
  CHECK(fixture.collections.change(by_session, id, {}, fixture.renaming("Rain")).has_value());
  fixture.clock.advance_ms(kMinuteMs);
  check_refused(by_session);
  CHECK(fixture.collections.change(by_key, id, {}, fixture.renaming("Rain")).has_value());
  REQUIRE(fixture.accounts->revoke_key(by_key.key_id).has_value());
  check_refused(by_key);
}

TEST_CASE("random operations of several writers match the model" * doctest::test_suite("long")) {
  const std::uint64_t seed = std::random_device{}();
  std::cout << "collections model: seed " << seed << '\n';
  AccountFixture fixture;
  // A remote database is slow, so the full number is for `./test long`.
  const bool is_short = fixture.store.is_shared() && std::getenv("TONEARM_LONG") == nullptr;
  const std::uint64_t operations = is_short ? 20'000 : 100'000;
  const ModelRun run = drive_collections(fixture.store, fixture.clock, seed, operations);
  CHECK(run.operations == operations);
  CHECK(run.changes > 4'000);
  CHECK(run.refusals > 2'000);
}
