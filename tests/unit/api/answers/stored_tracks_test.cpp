#include "api/answers/stored_tracks.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "api/answers/track_facts.h"
#include "memory_catalog.h"

using namespace tonearm;
using namespace tonearm::api;

namespace {

/// Tracks whose texts have every kind of character, and descriptions of that length.
std::shared_ptr<const Catalog> catalog_of(std::size_t count, std::size_t description_bytes) {
  std::vector<Track> tracks(count);
  for (std::size_t i = 0; i < count; ++i) {
    Track& track = tracks[i];
    track.id = "t-" + std::to_string(i);
    track.title = "Line\nbreak \"" + track.id + "\" 雨 \\";
    track.description = std::string(description_bytes, 'x');
    track.duration_ms = 60'000;
    track.source = "example.org";
    track.license = i % 2 == 0 ? LicenseId::cc_by_nc_4_0 : LicenseId::cc0;
  }
  return test::make_memory_catalog(tracks);
}

std::vector<FoundTrack> tracks_of(const Catalog& catalog) {
  std::vector<FoundTrack> tracks;
  for (std::uint32_t position = 0; position < catalog.track_count(); ++position) {
    tracks.push_back({position, catalog.render(std::vector{position}).at(0)});
  }
  return tracks;
}

bool are_equal(const std::vector<FoundTrack>& left, const std::vector<FoundTrack>& right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), [](const auto& a, const auto& b) {
    return a.position == b.position && a.track.json == b.track.json &&
           std::equal(a.track.offsets.begin(), a.track.offsets.end(), b.track.offsets.begin(), b.track.offsets.end());
  });
}

}  // namespace

// HOST-63
TEST_CASE("stored tracks are read as they were written") {
  const auto catalog = catalog_of(50, 10);
  const auto tracks = tracks_of(*catalog);
  const auto texts = write_tracks(tracks);
  REQUIRE(texts.size() == 1);
  const StoredTracks stored(texts);
  CHECK(are_equal(stored.tracks(), tracks));
  CHECK(license_terms(stored.tracks()[0].track) == license_terms(tracks[0].track));
  CHECK(track_id(stored.tracks()[1].track) == track_id(tracks[1].track));
  CHECK(write_tracks({}).empty());
  CHECK(StoredTracks({}).tracks().empty());
}

TEST_CASE("tracks that are together larger than a row may be are stored in several texts") {
  const auto catalog = catalog_of(500, 4'000);
  const auto tracks = tracks_of(*catalog);
  const auto texts = write_tracks(tracks);
  CHECK(texts.size() > 1);
  for (const std::string& text : texts) CHECK(text.size() <= 1'000'000);
  CHECK(are_equal(StoredTracks(texts).tracks(), tracks));
}

TEST_CASE("a track that is larger than a row may be is not stored") {
  const auto catalog = catalog_of(1, 1'100'000);
  CHECK(write_tracks(tracks_of(*catalog)).empty());
}

TEST_CASE("of a damaged text only what precedes the damage is read") {
  const auto catalog = catalog_of(2, 0);
  const auto tracks = tracks_of(*catalog);
  const std::string text = write_tracks(tracks).at(0);
  const std::size_t second = text.find('\n') + 1;
  const auto read = [](std::string damaged) { return StoredTracks({std::move(damaged)}).tracks().size(); };
  CHECK(read(text) == 2);
  CHECK(read(text.substr(second)) == 1);
  CHECK(read("") == 0);
  CHECK(read("\n") == 0);
  CHECK(read("x" + text) == 0);
  CHECK(read("-1 " + text) == 0);
  CHECK(read("1 " + text) == 0);                      // one number too many
  CHECK(read(text.substr(text.find(' ') + 1)) == 0);  // one too few
  CHECK(read(text.substr(0, second) + "99999999999" + text.substr(second)) == 1);
  for (std::size_t size = second; size + 2 < text.size(); ++size) CHECK(read(text.substr(0, size)) == 1);
}
