#pragma once
// Tracks of the builder in a temporary file, and back in memory.

#include <filesystem>
#include <string>
#include <vector>

#include "tonearm/track_reader.h"
#include "tracks/track_file.h"

namespace tonearm::test {

inline std::string folder_of_temporary_files() { return std::filesystem::temp_directory_path().string(); }

inline builder::TrackFile track_file(const std::vector<Track>& tracks) {
  builder::TrackFile file(folder_of_temporary_files());
  for (const auto& track : tracks) file.append(track);
  return file;
}

inline std::vector<Track> tracks_of(const TrackReader& reader) {
  std::vector<Track> tracks;
  for (std::uint32_t i = 0; i < reader.size(); ++i) tracks.push_back(reader.read(i));
  return tracks;
}

}  // namespace tonearm::test
