#pragma once
// Measures many files, each once, on all threads.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "measuring/measurement_cache.h"
#include "measuring/measurements.h"

namespace tonearm::audio {

struct MeasuredFile {
  std::string path;
  TrackAudio::Sha256 sha256{};  // zeros where the file cannot be read
  std::optional<AudioMeasurements> measurements;
  std::string error;  // why it could not be measured, a sentence without the path; empty: it was
};

/// Measures files on `threads` threads; results stand in the order of `paths` and are the same for any number of
/// threads. A file whose content is in `cache` is taken from there; what is measured goes into it, and it is saved now
/// and then, so that a build that was stopped goes on where it was: SIGINT and SIGTERM end the program once the files
/// under way are measured and saved. `on_file` is called after each file with its size, never twice at once. Throws
/// Failure if the cache cannot be saved.
std::vector<MeasuredFile> measure_files(std::span<const std::string> paths, MeasurementCache& cache, unsigned threads,
                                        const std::function<void(std::uint64_t bytes)>& on_file);

}  // namespace tonearm::audio
