#pragma once
// Finds the tracks of the catalog in a film or mix (CLI-28, CLI-29).

#include <functional>
#include <string>
#include <vector>

#include "films/track_uses.h"
#include "project/file_matches.h"
#include "project/project_files.h"

namespace tonearm::cli {

struct FilmTracks {
  std::vector<RecognizedTrack> tracks;  // by the beginning of their first use
  std::vector<SkippedEntry> skipped;    // audio tracks that are not recognized, and damage
};

/// Decodes a film and recognizes the tracks in it. `on_progress` gets the seconds that were listened to, and all of
/// them, or 0 if the film does not state its duration. Call it on the main thread. Throws FolderError, ServerError.
FilmTracks recognize_film(const std::string& path, const Send& send,
                          const std::function<void(double done_s, double all_s)>& on_progress);

/// Returns the name of a film without its folders.
std::string film_name(const std::string& path);

}  // namespace tonearm::cli
