#include "api/routing/active_catalog.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "memory_catalog.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

std::vector<Track> make_tracks(std::size_t count) {
  std::vector<Track> tracks(count);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    tracks[i].id = "x-" + std::to_string(i + 1);
    tracks[i].title = "Rain";
    tracks[i].artist = "Ann";
  }
  return tracks;
}

SearchQuery all_music() {
  SearchQuery query;
  query.kind = Kind::music;
  return query;
}

}  // namespace

// TAKEDOWN-2
TEST_CASE("the active catalog lacks what was taken down, whichever snapshot is served") {
  std::shared_ptr<const Catalog> served;
  api::ActiveCatalog active([&] { return served; });
  CHECK(active.get() == nullptr);
  active.take_down({"x-1", "x-9"});
  CHECK(active.get() == nullptr);
  for (int snapshot = 0; snapshot < 2; ++snapshot) {
    served = make_memory_catalog(make_tracks(2));
    const auto reduced = active.get();
    CHECK(reduced->count(all_music()) == 1);
    CHECK(active.get() == reduced);
    CHECK(reduced->version() == served->version());
    CHECK(reduced->revision() != served->revision());
    CHECK(reduced->is_taken_down(*reduced->find("x-1")));
    CHECK_FALSE(reduced->is_taken_down(*reduced->find("x-2")));
  }
  active.take_down({});
  CHECK(active.get() == served);
}

TEST_CASE("TAKEDOWN-5: while a snapshot cannot be read, no catalog is active") {
  const auto snapshot = paged_snapshot_of_bytes(snapshot_bytes(make_tracks(4'000)), Blocks::after_replay);
  std::shared_ptr<const Catalog> served;
  while (served == nullptr) {
    try {
      served = *Catalog::open(snapshot, {});
    } catch (const BlocksMissing&) {
      snapshot->file().end_request();
    }
  }
  snapshot->end_request();
  api::ActiveCatalog active([&] { return served; });
  active.take_down({"x-1", "x-1000", "x-2000", "x-3000"});
  int failures = 0;
  std::shared_ptr<const Catalog> reduced;
  while (reduced == nullptr) {
    try {
      reduced = active.get();
    } catch (const BlocksMissing&) {
      ++failures;
      snapshot->file().end_request();
    }
  }
  CHECK(failures > 0);
  CHECK(reduced->revision() != served->revision());
}
