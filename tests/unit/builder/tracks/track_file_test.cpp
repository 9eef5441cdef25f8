#include "tracks/track_file.h"

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <thread>
#include <utility>

#include "random_tracks.h"
#include "scratch_folder.h"

namespace tonearm::builder {
namespace {

void check_equal(const TrackReader& file, const std::vector<Track>& tracks) {
  REQUIRE(file.size() == tracks.size());
  for (std::uint32_t i = 0; i < tracks.size(); ++i) CHECK(members_of(file.read(i)) == members_of(tracks[i]));
}

std::vector<Track> fill(TrackFile& file, test::SeededRandom& random, int count) {
  std::vector<Track> tracks;
  for (int i = 0; i < count; ++i) {
    file.append(tracks.emplace_back(random_track(random)));
    const auto index = static_cast<std::uint32_t>(random.below(tracks.size()));
    CHECK(members_of(file.read(index)) == members_of(tracks[index]));
  }
  return tracks;
}

}  // namespace

TEST_CASE("tracks are read as they were appended, modified and given neighbors") {
  const test::ScratchFolder folder;
  test::SeededRandom random(1);
  TrackFile file(folder.path());
  auto tracks = fill(file, random, 600);
  for (int round = 0; round < 600; ++round) {
    const auto index = static_cast<std::uint32_t>(random.below(tracks.size()));
    auto neighbors = std::exchange(tracks[index], random_track(random)).neighbors;
    file.update(index, [&](Track& track) { track = tracks[index]; });
    tracks[index].neighbors = std::move(neighbors);
    if (round % 3 != 0) continue;
    tracks[index].neighbors.assign(random.below(3), index);
    file.set_neighbors(index, tracks[index].neighbors);
  }
  check_equal(file, tracks);
  const TrackFile moved(std::move(file));
  check_equal(moved, tracks);
  CHECK(folder.file_count() == 0);
}

TEST_CASE("tracks that are removed leave the order of the others") {
  const test::ScratchFolder folder;
  test::SeededRandom random(2);
  TrackFile file(folder.path());
  std::vector<Track> kept;
  std::vector<bool> is_removed;
  for (int i = 0; i < 300; ++i) {
    auto track = random_track(random);
    track.neighbors.clear();
    file.append(track);
    is_removed.push_back(random.below(3) == 0);
    if (!is_removed.back()) kept.push_back(std::move(track));
  }
  file.remove(is_removed);
  check_equal(file, kept);
  for (std::uint32_t i = 0; i < kept.size(); ++i) {
    kept[i].neighbors = {i};
    file.set_neighbors(i, kept[i].neighbors);
  }
  check_equal(file, kept);
}

TEST_CASE("several threads read at once") {
  const test::ScratchFolder folder;
  test::SeededRandom random(3);
  TrackFile file(folder.path());
  const auto tracks = fill(file, random, 800);
  std::atomic<int> differences = 0;
  std::array<std::thread, 4> threads;
  for (std::size_t number = 0; number < threads.size(); ++number) {
    threads[number] = std::thread([&, number] {
      for (std::uint32_t i = 0; i < tracks.size(); ++i) {
        const auto index = static_cast<std::uint32_t>((i * (number + 1) * 7) % tracks.size());
        if (members_of(file.read(index)) != members_of(tracks[index])) ++differences;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(differences == 0);
}

}  // namespace tonearm::builder
