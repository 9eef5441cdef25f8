#pragma once
// A folder of audio files with license documents, as canonical lines (BUILD-10 to BUILD-13). Its files are walked,
// measured and described in the order of their paths.

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

/// `tonearm.toml` of the folder: what its documents do not say. Every key may be absent.
struct FolderSettings {
  std::string domain = "folder.internal";  // of tracks without a page
  std::string source_name;
  std::string id_prefix = "folder";
  std::string kind;  // of tracks whose documents and tags state none; empty: it is decided by the audio
};

/// Throws Failure for a file that is not understood.
FolderSettings read_folder_settings(const std::string& folder);

/// All files that `read_folder` reads: audio, documents, settings.
std::vector<std::string> folder_files(const std::string& folder);

/// Gives a line or a rejection for each audio file. `on_file` is called as each is measured, with its size. Throws
/// Failure, and then what was measured stays in the cache.
void read_folder(const FolderRequest& request, audio::MeasurementCache& cache, Hashing& hashing, Report& report,
                 const TakeLine& take, const std::function<void(std::uint64_t bytes)>& on_file);

/// A title of a file's name: no ending, no running number before it, spaces for `_` and `-`.
std::string title_of_name(std::string_view path);

}  // namespace tonearm::builder
