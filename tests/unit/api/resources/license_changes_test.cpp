// License changes in all collections while the catalog changes. These tests need more than one snapshot, so they are
// not case files.

#include "api/resources/license_changes.h"

#include <doctest/doctest.h>

#include <boost/json.hpp>
#include <functional>
#include <map>

#include "served_account.h"

using namespace tonearm;

namespace {

namespace bj = boost::json;

Track plain_track(const std::string& id, LicenseId license = LicenseId::cc_by_4_0) {
  Track track;
  track.id = id;
  track.title = "Title";
  track.duration_ms = 60'000;
  track.source = "example.org";
  track.license = license;
  return track;
}

std::vector<Track> numbered(int count, LicenseId license = LicenseId::cc_by_4_0) {
  std::vector<Track> tracks;
  tracks.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) tracks.push_back(plain_track("t-" + std::to_string(i), license));
  return tracks;
}

/// Distinguishes writes from reads, and can reject writes.
class WatchedStore final : public sql::Store {
 public:
  explicit WatchedStore(std::unique_ptr<sql::Store> store) : store_(std::move(store)) {}
  void transact(const std::function<void(sql::Transaction&)>& body) override {
    store_->transact([&](sql::Transaction& inner) {
      Watched watched(inner, *this);
      body(watched);
    });
  }
  int checks_written = 0;
  bool refuses_checks = false;

 private:
  struct Watched final : sql::Transaction {
    Watched(sql::Transaction& inner_transaction, WatchedStore& watching) : inner(inner_transaction), of(watching) {}
    sql::Rows execute(std::string_view statement, const sql::Row& parameters) override {
      if (statement.starts_with("INSERT INTO license_checks")) {
        if (of.refuses_checks) throw sql::Failure("the disk is full");
        ++of.checks_written;
      }
      return inner.execute(statement, parameters);
    }
    sql::Transaction& inner;
    WatchedStore& of;
  };
  std::unique_ptr<sql::Store> store_;
};

struct ChangesFixture : test::ServedAccount {
  ChangesFixture() : ServedAccount(std::make_unique<WatchedStore>(test::memory_store())) {}
  void serve(const std::vector<Track>& tracks) { catalog = test::make_memory_catalog(tracks); }
  /// Creates a collection of the tracks `t-from` to `t-to`, exclusive.
  std::string filled(const std::string& name, int from, int to) {
    auto id =
        bj::value_to<std::string>(read("POST", "/v1/collections", bj::serialize(bj::object{{"name", name}})).at("id"));
    for (; from < to; from += 25) {
      bj::array ids;
      for (int i = from; i < std::min(from + 25, to); ++i) ids.emplace_back("t-" + std::to_string(i));
      read("POST", "/v1/collections/" + id + "/items", bj::serialize(bj::object{{"tracks", ids}}));
    }
    return id;
  }
  /// Returns `name: license_changed missing` for each collection.
  std::string listed() {
    std::string text;
    const bj::value list = read("GET", "/v1/collections");
    for (const auto& it : list.at("collections").as_array()) {
      text += bj::value_to<std::string>(it.at("name")) + ':' + bj::serialize(it.at("license_changed")) + ' ' +
              bj::serialize(it.at("missing")) + ';';
    }
    return text;
  }

  WatchedStore& watched = static_cast<WatchedStore&>(*store);
};

std::string text_at(const bj::value& value, std::string_view pointer) {
  return bj::value_to<std::string>(value.at_pointer(pointer));
}

}  // namespace

// COLLECTION-14
TEST_CASE("summaries count changed and missing items, and the list contains all of them") {
  ChangesFixture fixture;
  fixture.serve(numbered(4));
  const std::string a = fixture.filled("a", 0, 3);
  const std::string b = fixture.filled("b", 1, 4);
  CHECK(fixture.listed() == "b:0 0;a:0 0;");
  CHECK(bj::serialize(fixture.read("GET", "/v1/license-changes")) ==
        R"({"changes":[],"total":0,"cursor":null,"unchecked":0})");

  fixture.serve({plain_track("t-0"), plain_track("t-1", LicenseId::cc0), plain_track("t-3")});
  CHECK(fixture.listed() == "b:1 1;a:1 1;");
  const auto detail = fixture.read("GET", "/v1/collections/" + a);
  CHECK(detail.at("license_changed").as_int64() == 1);
  CHECK(detail.at("missing").as_int64() == 1);
  const auto all = fixture.read("GET", "/v1/license-changes");
  CHECK(all.at("total").as_int64() == 4);
  CHECK(all.at("unchecked").as_int64() == 0);
  CHECK(all.at("cursor").is_null());
  CHECK(text_at(all, "/changes/0/collection_id") == b);
  CHECK(text_at(all, "/changes/0/collection_name") == "b");
  CHECK(text_at(all, "/changes/0/track_id") == "t-1");
  CHECK(text_at(all, "/changes/0/recorded/license/id") == "cc-by-4.0");
  CHECK(text_at(all, "/changes/0/recorded/attribution") == "required");
  CHECK(text_at(all, "/changes/0/current/license/id") == "cc0");
  CHECK(text_at(all, "/changes/0/current/terms/credit") == "none");
  CHECK_FALSE(all.at_pointer("/changes/0/missing").as_bool());
  CHECK(text_at(all, "/changes/1/track_id") == "t-2");
  CHECK(all.at_pointer("/changes/1/current").is_null());
  CHECK(all.at_pointer("/changes/1/missing").as_bool());
  CHECK(text_at(all, "/changes/2/collection_id") == a);

  // Pages, including one that starts in one collection and ends in the next.
  const auto middle = fixture.read("GET", "/v1/license-changes?limit=2&cursor=1");
  CHECK(middle.at("changes").as_array().size() == 2);
  CHECK(text_at(middle, "/changes/0/track_id") == "t-2");
  CHECK(text_at(middle, "/changes/1/collection_id") == a);
  CHECK(text_at(middle, "/cursor") == "3");
  const auto end = fixture.read("GET", "/v1/license-changes?cursor=4");
  CHECK(end.at("changes").as_array().empty());
  CHECK(end.at("total").as_int64() == 4);
  CHECK(end.at("cursor").is_null());

  fixture.serve(numbered(4));
  CHECK(fixture.listed() == "b:0 0;a:0 0;");
}

TEST_CASE("the result of a comparison is kept until the collection or the catalog changes") {
  ChangesFixture fixture;
  fixture.serve(numbered(6));
  const std::string a = fixture.filled("a", 0, 3);
  fixture.filled("b", 3, 6);
  fixture.filled("empty", 0, 0);
  CHECK(fixture.listed() == "empty:0 0;b:0 0;a:0 0;");
  CHECK(fixture.watched.checks_written == 2);
  fixture.listed();
  fixture.read("GET", "/v1/license-changes");
  CHECK(fixture.watched.checks_written == 2);
  fixture.read("DELETE", "/v1/collections/" + a + "/items/t-0");
  CHECK(fixture.listed() == "a:0 0;empty:0 0;b:0 0;");
  CHECK(fixture.watched.checks_written == 3);
  fixture.serve({plain_track("t-5")});
  CHECK(fixture.listed() == "a:0 2;empty:0 0;b:0 2;");
  CHECK(fixture.watched.checks_written == 5);
  fixture.read("DELETE", "/v1/collections/" + a + "?confirm=true");
  CHECK(fixture.read("GET", "/v1/license-changes").at("total").as_int64() == 2);
}

TEST_CASE("without a catalog, or if nothing can be saved, collections are listed without these numbers") {
  ChangesFixture fixture;
  fixture.serve(numbered(3));
  fixture.filled("a", 0, 3);
  fixture.filled("empty", 0, 0);
  fixture.watched.refuses_checks = true;
  CHECK(fixture.listed() == "empty:0 0;a:null null;");
  CHECK(fixture.read("GET", "/v1/license-changes").at("unchecked").as_int64() == 1);
  fixture.watched.refuses_checks = false;
  CHECK(fixture.listed() == "empty:0 0;a:0 0;");
  fixture.catalog = nullptr;
  CHECK(fixture.listed() == "empty:0 0;a:null null;");
}
