#include "catalog/lookup/changes.h"

#include <doctest/doctest.h>

#include "../sample_tracks.h"
#include "snapshot_surgery.h"
#include "system/system_ports.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm::test {
namespace {

constexpr const char* kOldest = "0000000000000001";
constexpr const char* kNewer = "0000000000000002";

SnapshotOptions options_with_changes() {
  SnapshotOptions options;
  options.changes = {{kOldest, {{ChangeKind::removed, "gone", "cc0", ""}, {ChangeKind::added, "x-1", "", "cc0"}}},
                     {kNewer, {{ChangeKind::license_changed, "x-2", "cc0", "cc-by-4.0"}}}};
  return options;
}

std::vector<Track> some_tracks() {
  constexpr int kTracks = 9;
  std::vector<Track> tracks;
  tracks.reserve(kTracks);
  for (int i = 0; i < kTracks; ++i) tracks.push_back(music("x-" + std::to_string(i), "Rain"));
  return tracks;
}

/// Returns each change as "kind id version".
std::vector<std::string> texts_of(const std::optional<ChangesPage>& page) {
  std::vector<std::string> texts;
  for (const auto& [change, version] : page.value().entries) {
    texts.push_back(std::string(kChangeNames.at(static_cast<std::size_t>(change.kind))) + ' ' + change.track_id + ' ' +
                    version);
  }
  return texts;
}

}  // namespace

// CHANGE-1, CHANGE-2
TEST_CASE("a catalog states the changes since each version that it knows, with the first version that has them") {
  native::OpensslHashing hashing;
  const std::string bytes = snapshot_bytes(some_tracks(), options_with_changes());
  const auto resident = Catalog::open(snapshot_of_bytes(bytes), {}).value();
  const auto remote = Catalog::open(paged_snapshot_of_bytes(bytes, Blocks::immediate), {}).value();
  CHECK(verify_snapshot(snapshot_of_bytes(bytes), hashing).has_value());
  for (const auto& catalog : {resident, remote}) {
    const std::string own = catalog->version();
    CHECK(catalog->known_versions() == std::vector<std::string>{kOldest, kNewer});
    const std::vector<std::string> all{std::string("removed gone ") + kNewer, std::string("added x-1 ") + kNewer,
                                       "license_changed x-2 " + own};
    CHECK(texts_of(catalog->changes(kOldest, 10, 0)) == all);
    CHECK(catalog->changes(kOldest, 10, 0)->total == 3);
    CHECK(texts_of(catalog->changes(kOldest, 1, 1)) == std::vector{all[1]});
    CHECK(texts_of(catalog->changes(kOldest, 2, 1)) == std::vector{all[1], all[2]});
    CHECK(catalog->changes(kOldest, 1, 1)->total == 3);
    CHECK(texts_of(catalog->changes(kNewer, 10, 0)) == std::vector{all[2]});
    CHECK(catalog->changes(kOldest, 10, 3)->entries.empty());
    CHECK(catalog->changes(kOldest, 10, 4'000'000'000)->entries.empty());
    CHECK(catalog->changes(own, 10, 0)->entries.empty());
    CHECK(catalog->changes(own, 10, 0)->total == 0);
    CHECK_FALSE(catalog->changes("0000000000000003", 10, 0).has_value());
    CHECK_FALSE(catalog->changes("", 10, 0).has_value());
  }
}

TEST_CASE("versions without changes are known too, wherever they are") {
  SnapshotOptions options;
  options.changes = {{"0000000000000001", {}},
                     {"0000000000000002", {{ChangeKind::added, "x-1", "", "cc0"}}},
                     {"0000000000000003", {}},
                     {"0000000000000004", {{ChangeKind::added, "x-2", "", "cc0"}}},
                     {"0000000000000005", {}}};
  const auto catalog = Catalog::open(snapshot_of_bytes(snapshot_bytes(some_tracks(), options)), {}).value();
  const std::vector<std::string> all{"added x-1 0000000000000003", "added x-2 0000000000000005"};
  CHECK(texts_of(catalog->changes("0000000000000001", 10, 0)) == all);
  CHECK(texts_of(catalog->changes("0000000000000002", 10, 0)) == all);
  CHECK(texts_of(catalog->changes("0000000000000003", 10, 0)) == std::vector{all[1]});
  CHECK(texts_of(catalog->changes("0000000000000004", 10, 0)) == std::vector{all[1]});
  CHECK(texts_of(catalog->changes("0000000000000005", 10, 0)).empty());
  CHECK(catalog->changes("0000000000000005", 10, 0)->total == 0);
}

// CHANGE-3
TEST_CASE("the tracks that were taken down since the snapshot was written are listed by id, and are no changes of it") {
  const std::string bytes = snapshot_bytes(some_tracks(), options_with_changes());
  const std::shared_ptr<const SqliteSnapshot> resident = snapshot_of_bytes(bytes);
  const std::shared_ptr<const SqliteSnapshot> remote = paged_snapshot_of_bytes(bytes, Blocks::immediate);
  for (const auto& snapshot : {resident, remote}) {
    const auto whole = Catalog::open(snapshot, {}).value();
    CHECK(whole->taken_down_since().empty());
    const std::vector<std::string> ids{"x-7", "x-1", "x-5", "none"};
    const auto catalog = whole->without(ids);
    CHECK(catalog->taken_down_since() == std::vector<std::string>{"x-1", "x-5", "x-7"});
    CHECK(catalog->changes(kOldest, 10, 0)->total == 3);
    CHECK(catalog->changes(catalog->version(), 10, 0)->total == 0);
  }
}

TEST_CASE("changes that a section cannot have are refused before they are written") {
  const auto bytes_of = [](std::vector<VersionChanges> changes) {
    SnapshotOptions options;
    options.changes = std::move(changes);
    return snapshot_bytes(some_tracks(), options);
  };
  for (const char* version : {"", "000000000000001", "00000000000000001", "000000000000000g", "000000000000000A"}) {
    CAPTURE(version);
    CHECK_THROWS_AS(bytes_of({{version, {}}}), Failure);
  }
  CHECK_THROWS_AS(bytes_of({{kOldest, {{ChangeKind::added, std::string(256, 'x'), "", "cc0"}}}}), Failure);
  CHECK_THROWS_AS(bytes_of(std::vector<VersionChanges>(kKnownVersionsMax + 1, {kOldest, {}})), Failure);
}

}  // namespace tonearm::test
