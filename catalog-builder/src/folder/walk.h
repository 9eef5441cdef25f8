#pragma once
// Finds the audio files of a folder, and the documents in it that may state licenses.

#include <cstdint>
#include <string>
#include <vector>

namespace tonearm::builder {

/// Paths are relative to the folder, with `/`, in the order of their bytes.
struct FolderFiles {
  std::vector<std::string> audio;
  std::vector<std::string> documents;
  std::uint64_t ignored = 0;  // other files, links and hidden files
};

/// Files of WAV, FLAC, Ogg, Opus, MP3 and AIFF by their endings. Hidden files and symbolic links are skipped, but for
/// `.reuse/dep5`. Throws Failure for a folder that cannot be read, one deeper than 32 levels, or with more than a
/// million files.
FolderFiles walk_folder(const std::string& folder);

/// The ending of a name in lower case, without the dot.
std::string ending_of(std::string_view name);
/// Everything before the last `/`, with it; empty where there is none.
std::string folder_of(std::string_view path);

}  // namespace tonearm::builder
