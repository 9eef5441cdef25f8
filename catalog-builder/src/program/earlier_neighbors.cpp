#include "program/earlier_neighbors.h"

#include <fmt/format.h>

#include <exception>
#include <limits>

#include "review/opened_snapshot.h"
#include "tonearm/result.h"
#include "tracks/string_table.h"

namespace tonearm::builder {
namespace {

constexpr auto kNoTrack = std::numeric_limits<std::uint32_t>::max();
/// A list has at most 104 neighbors. The limit bounds memory for a damaged file.
constexpr std::uint32_t kNeighborsMax = 128;

/// Returns the index of the track at each position of the snapshot.
std::vector<std::uint32_t> indices_by_position(const OpenedSnapshot& snapshot, const StringTable& ids) {
  const TrackPath id("id");
  std::vector<std::uint32_t> result(snapshot.catalog().track_count(), kNoTrack);
  for (std::uint32_t position = 0; position < result.size(); ++position) {
    result[position] = ids.find(text_of(id.of(snapshot.track(position)))).value_or(kNoTrack);
  }
  return result;
}

NeighborGuesses read_guesses(const OpenedSnapshot& snapshot, const StringTable& ids) {
  const auto indices = indices_by_position(snapshot, ids);
  NeighborGuesses guesses(ids.size());
  for (std::uint32_t position = 0; position < indices.size(); ++position) {
    if (indices[position] == kNoTrack) continue;
    auto& list = guesses[indices[position]];
    const auto page = snapshot.catalog().similar(position, {}, kNeighborsMax, 0);
    list.reserve(page.tracks.size());
    for (const auto neighbor : page.tracks) {
      if (indices.at(neighbor) != kNoTrack) list.push_back(indices[neighbor]);
    }
  }
  return guesses;
}

}  // namespace

EarlierNeighbors earlier_neighbors(const std::string& path, const TrackReader& tracks) {
  StringTable ids;
  for (std::uint32_t i = 0; i < tracks.size(); ++i) ids.add(tracks.read(i).id);
  try {
    return {read_guesses(OpenedSnapshot(path), ids), {}};
  } catch (const std::exception& failure) {
    const std::string what = failure.what();
    return {
        {},
        fmt::format("{}{}; similar tracks are computed without it", what.starts_with(path) ? "" : path + ": ", what)};
  }
}

}  // namespace tonearm::builder
