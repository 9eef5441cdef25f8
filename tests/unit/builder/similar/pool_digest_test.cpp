#include "similar/pool_digest.h"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "neighbors_in_memory.h"

namespace tonearm::builder {
namespace {

std::vector<Track> songs() {
  std::vector<Track> tracks(6);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    tracks[i].id = "t-" + std::to_string(i);
    tracks[i].kind = Kind::music;
    tracks[i].title = "rain song";
    tracks[i].artist = i < 3 ? "Ann" : "Bob";
    tracks[i].duration_ms = 60'000;
    tracks[i].license = LicenseId::cc_by_4_0;
  }
  return tracks;
}

PoolDigest digest_of(std::vector<Track> tracks, const NeighborOptions& options = {}, bool is_first_given = false) {
  std::vector<bool> given(tracks.size());
  given[0] = is_first_given;
  return compute_neighbors(tracks, given, options)[static_cast<std::size_t>(PoolId::music)];
}

PoolDigest digest_after(const std::function<void(std::vector<Track>&)>& change, const NeighborOptions& options = {}) {
  auto tracks = songs();
  change(tracks);
  return digest_of(std::move(tracks), options);
}

}  // namespace

// BUILD-25
TEST_CASE("a digest of tracks changes with what their lists depend on") {
  const auto digest = digest_of(songs());
  CHECK(digest_of(songs()) == digest);
  const std::vector<std::function<void(std::vector<Track>&)>> changes{
      [](auto& tracks) { tracks[2].id = "t-22"; },       [](auto& tracks) { tracks[2].title = "rain"; },
      [](auto& tracks) { tracks[2].artist = "Bob"; },    [](auto& tracks) { tracks[2].artist.clear(); },
      [](auto& tracks) { tracks[2].taken_down = true; }, [](auto& tracks) { tracks[2].duration_ms = 600'000; },
      [](auto& tracks) { tracks.pop_back(); },
  };
  for (const auto& change : changes) CHECK(digest_after(change).tracks != digest.tracks);
  CHECK(digest_of(songs(), {}, true).tracks != digest.tracks);
}

// BUILD-25
TEST_CASE("a digest does not change with the order of tracks, or with what lists do not depend on") {
  const auto digest = digest_of(songs());
  const std::vector<std::function<void(std::vector<Track>&)>> changes{
      [](auto& tracks) { std::swap(tracks[1], tracks[4]); },
      [](auto& tracks) {
        for (auto& track : tracks) {
          if (track.artist == "Ann") track.artist = "Zoe";
        }
      },
      [](auto& tracks) { tracks[1].artist = "ANN"; },
      [](auto& tracks) { tracks[2].source_page = "https://a.example/other"; },
      [](auto& tracks) { tracks[2].license = LicenseId::cc_by_3_0; },  // with the same terms
  };
  for (const auto& change : changes) CHECK(digest_after(change) == digest);
}

// BUILD-25
TEST_CASE("other terms change the digest of terms, and that of tracks if not every pair is compared") {
  const auto changes = [](std::vector<Track>& tracks) { tracks[2].license = LicenseId::cc_by_nc_4_0; };
  CHECK(digest_after(changes).terms != digest_of(songs()).terms);
  CHECK(digest_after(changes).tracks == digest_of(songs()).tracks);
  const NeighborOptions few{.compared_count = 3};
  CHECK(digest_after(changes, few).tracks != digest_of(songs(), few).tracks);
  CHECK(digest_of(songs(), few).tracks != digest_of(songs()).tracks);
  CHECK(digest_of(songs(), {.compared_count = 4}).tracks != digest_of(songs(), few).tracks);
}

TEST_CASE("a digest is read from its text, and any other text gives one that no pool has") {
  const auto digest = digest_of(songs());
  CHECK(digest_from(to_text(digest)) == digest);
  CHECK(digest.tracks.size() == 32);
  CHECK(digest.terms.size() == 32);
  for (const auto* text : {"", "unreadable", " "}) CHECK(digest_from(text).tracks.empty());
}

}  // namespace tonearm::builder
