#pragma once
// Reads a folder of audio files with license documents as canonical lines (BUILD-10 to BUILD-13), in the order of
// paths.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mapping/adapter.h"
#include "measuring/measurement_cache.h"
#include "report/report.h"
#include "tonearm/ports.h"

namespace tonearm::builder {

struct FolderRequest {
  std::string folder;
  std::string media_output;  // empty: previews and waveforms are not written
  unsigned threads = 1;
};

/// `tonearm.toml` of the folder, which complements its documents. Every key is optional.
struct FolderSettings {
  std::string domain = "folder.internal";  // of tracks without a page
  std::string source_name;
  std::string id_prefix = "folder";
  std::string kind;  // of tracks without a stated kind; empty: the audio decides
};

/// Throws Failure if the file is not valid.
FolderSettings read_folder_settings(const std::string& folder);

/// Returns all files that `read_folder` reads: audio, documents, settings.
std::vector<std::string> folder_files(const std::string& folder);

/// Yields a line or a rejection for each audio file. Calls `on_file` with the size of each measured file. Throws
/// Failure; measurements remain in the cache.
void read_folder(const FolderRequest& request, audio::MeasurementCache& cache, Hashing& hashing, Report& report,
                 const LineCallback& take, const std::function<void(std::uint64_t bytes)>& on_file);

/// Derives a title from a file name: without extension and leading number, with spaces for `_` and `-`.
std::string title_of_name(std::string_view path);

}  // namespace tonearm::builder
