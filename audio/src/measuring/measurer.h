#pragma once
// Measures many files on several threads.

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
  TrackAudio::Sha256 sha256{};  // zeros if the file is not readable
  std::optional<Measurements> measurements;
  std::string error;  // why it was not measured: a sentence without the path; empty if it was
};

/// Measures files on `threads` threads. Results are in the order of `paths` and do not depend on the number of threads.
/// Reads measurements from `cache` if it contains the file, and stores new ones. The cache is saved periodically, so
/// that an interrupted build can be resumed: SIGINT and SIGTERM end the program after the current files are measured
/// and saved. `on_file` is called after each file with its size, by one thread at a time. Throws Failure if the cache
/// is not writable.
std::vector<MeasuredFile> measure_files(std::span<const std::string> paths, MeasurementCache& cache, unsigned threads,
                                        const std::function<void(std::uint64_t bytes)>& on_file);

}  // namespace tonearm::audio
