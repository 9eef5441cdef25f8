#include "neighbors_in_memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "intake/intake.h"
#include "mapping/adapter.h"
#include "system/system_ports.h"
#include "track_files.h"

// Uses real metadata, which is not part of the project. docs/benchmarks.md has the figures; this test guards against
// regressions.
namespace tonearm::builder {
namespace {

constexpr const char* kData = TONEARM_SOURCE_DIR "/../shared/data/";

std::vector<Track> read(const std::string& source) {
  Report report;
  native::OpensslHashing hashing;
  Intake intake({}, {}, test::folder_of_temporary_files(), report);
  read_source(find_mapping(source), kData + source, hashing, report,
              [&](std::uint64_t number, std::variant<Line, Rejection> line) { intake.add(number, std::move(line)); });
  return test::tracks_of(intake.finish().tracks);
}

/// Hides every second tag and what sources derive from tags.
std::vector<Track> half_hidden(std::vector<Track> tracks) {
  for (auto& track : tracks) {
    std::size_t number = 0;
    for (auto& ids : track.tags) std::erase_if(ids, [&](const std::string&) { return number++ % 2 == 1; });
    track.energy.reset();
    track.tone.reset();
  }
  return tracks;
}

bool has(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

/// Returns the share, in thousandths, of pairs of a hidden tag and a track of `others_of` that has the tag.
template <class OthersOf>
std::uint64_t share(const std::vector<Track>& tracks, const std::vector<Track>& halves, const OthersOf& others_of) {
  std::uint64_t pairs = 1;
  std::uint64_t shared = 0;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      for (const auto& id : tracks[i].tags[facet]) {
        if (has(halves[i].tags[facet], id)) continue;
        for (const auto other : others_of(i)) {
          ++pairs;
          shared += has(tracks[other].tags[facet], id) ? 1U : 0U;
        }
      }
    }
  }
  return shared * 1'000 / pairs;
}

}  // namespace

TEST_CASE("neighbors share hidden tags far more often than other tracks do" * doctest::test_suite("long")) {
  for (const std::string source : {"incompetech", "freemusi-cc"}) {
    if (!std::filesystem::is_directory(kData + source)) {
      std::cout << "skipped: there is no ../shared/data/" << source << "\n";
      continue;
    }
    const auto tracks = read(source);
    auto halves = half_hidden(tracks);
    compute_neighbors(halves, std::vector<bool>(halves.size()));
    const auto first_ten = [&](std::size_t i) { return std::span(halves[i].neighbors).first(10); };
    const auto spread_out = [&](std::size_t i) {
      std::vector<std::size_t> others;
      for (std::size_t step = 1; step <= 10; ++step) others.push_back((i + step * tracks.size() / 11) % tracks.size());
      return others;
    };
    CAPTURE(source);
    CHECK(share(tracks, halves, first_ten) >= share(tracks, halves, spread_out) * 3 / 2);
  }
}

}  // namespace tonearm::builder
