#pragma once
// Finds the audio files of a folder and the documents that may state licenses.

#include <cstdint>
#include <string>
#include <vector>

namespace tonearm::builder {

/// Paths are relative to the folder, with `/`, in byte order.
struct FolderFiles {
  std::vector<std::string> audio;
  std::vector<std::string> documents;
  std::uint64_t ignored = 0;  // other files, links and hidden files
};

/// Finds files of WAV, FLAC, Ogg, Opus, MP3 and AIFF by their extensions. Skips hidden files, except for `.reuse/dep5`,
/// and symbolic links. Throws Failure for a folder that is not readable, deeper than 32 levels, or has more than a
/// million files.
FolderFiles walk_folder(const std::string& folder);

/// Returns everything up to the last `/`, inclusive.
std::string folder_of(std::string_view path);

}  // namespace tonearm::builder
