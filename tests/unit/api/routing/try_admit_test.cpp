// The calls that a service admits without blocking.

#include <doctest/doctest.h>

#include "served_account.h"

using namespace tonearm;

namespace {

Request get_request(const std::string& target, const std::string& key) {
  Headers headers;
  if (!key.empty()) headers.push_back({"Authorization", "Bearer " + key});
  return {{"GET", target, headers, "127.0.0.1"}, ""};
}

ServiceOptions with_shared_bodies() {
  ServiceOptions options;
  options.shares_bodies = true;
  return options;
}

/// A snapshot in memory, which a test can make look changed in place.
class ChangingSnapshot final : public SqliteSnapshot, private SnapshotFile {
 public:
  explicit ChangingSnapshot(std::string bytes) : snapshot_(test::snapshot_of_bytes(std::move(bytes))) {}

  const SnapshotFile& file() const override { return *this; }
  sql::SqliteHandle connect() const override { return snapshot_->connect(); }
  std::uint64_t size() const override { return snapshot_->file().size(); }
  std::string_view bytes(std::uint64_t offset, std::uint64_t size) const override {
    return snapshot_->file().bytes(offset, size);
  }
  bool is_unchanged() const override { return !is_changed; }

  bool is_changed = false;

 private:
  std::shared_ptr<const SqliteSnapshot> snapshot_;
};

struct AtOnceFixture : test::ServedAccount {
  AtOnceFixture() : ServedAccount(test::memory_store(), with_shared_bodies()) {
    Track track;
    track.id = "t-1";
    track.title = "Title";
    track.duration_ms = 60'000;
    track.source = "example.org";
    track.license = LicenseId::cc_by_4_0;
    snapshot = std::make_shared<ChangingSnapshot>(test::snapshot_bytes(std::vector<Track>{track}));
    catalog = Catalog::open(snapshot, {}).value();
  }

  /// Returns the status of a rejected call, 0 for an admitted one, or nothing if it would block.
  std::optional<int> try_admit(const std::string& target, const std::string& with) const {
    const auto outcome = service->try_admit(get_request(target, with).head);
    if (!outcome) return std::nullopt;
    const auto* refused = std::get_if<Response>(&*outcome);
    return refused == nullptr ? 0 : refused->status;
  }

  std::shared_ptr<ChangingSnapshot> snapshot;
};

}  // namespace

TEST_CASE("try_admit admits calls that need only memory and the catalog, and no others") {
  const AtOnceFixture fixture;
  CHECK_FALSE(fixture.try_admit("/v1/search", fixture.key));  // the key must be looked up first
  CHECK(fixture.service->handle(get_request("/v1/search", fixture.key)).status == 200);
  CHECK(fixture.try_admit("/v1/search", fixture.key) == 0);
  CHECK(fixture.try_admit("/v1/tracks/t-1", fixture.key) == 0);
  CHECK(fixture.try_admit("/v1/search", "") == 401);
  CHECK(fixture.try_admit("/v1/search", "no key") == 401);
  CHECK(fixture.try_admit("/healthz", "") == 0);
  for (const std::string target : {"/readyz", "/v1/collections", "/v1/usage", "/v1/nothing", "/mcp", "/other"}) {
    CHECK_FALSE(fixture.try_admit(target, fixture.key));
  }
}

TEST_CASE("a cached answer shares the cache's body if the host enables it") {
  const AtOnceFixture fixture;
  const auto request = get_request("/v1/search", fixture.key);
  const auto made = fixture.service->handle(request);
  const auto kept = fixture.service->handle(request);
  const auto again = fixture.service->handle(request);
  CHECK(made.shared_body == nullptr);
  REQUIRE(kept.shared_body != nullptr);
  CHECK(kept.body.empty());
  CHECK(kept.text() == made.text());
  CHECK(kept.shared_body == again.shared_body);
}

// HOST-27
TEST_CASE("of a file that was changed in place, only answers that were cached before are sent") {
  const AtOnceFixture fixture;
  const auto kept = get_request("/v1/search?limit=5", fixture.key);
  const auto missed = get_request("/v1/search?limit=6", fixture.key);
  const auto made = fixture.service->handle(kept);
  fixture.snapshot->is_changed = true;
  for (int round = 0; round < 2; ++round) {
    const auto answered = fixture.service->handle(kept);
    CHECK(answered.status == 200);
    CHECK(answered.text() == made.text());
    CHECK(fixture.service->handle(missed).status == 503);  // nothing is cached from these bytes
    CHECK(fixture.service->handle(get_request("/v1/tracks/t-1", fixture.key)).status == 503);
  }
}
