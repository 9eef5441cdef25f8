#pragma once
// Finds the audio files of a project folder, and reports skipped entries (CLI-9, CLI-13).

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tonearm::cli {

/// The folder cannot be scanned completely. Contains the path and the reason.
class FolderError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How much of a file is read.
enum class Depth : std::uint8_t {
  sound,  // its bytes and its audio
  bytes,  // its format is not decoded
  name,   // it is too large
  none,   // a link out of the folder, or a broken link; see `problem`
};

struct ProjectFile {
  std::string path;      // relative to the folder, with `/`
  std::string location;  // the path to open
  Depth depth = Depth::sound;
  std::string problem{};  // why less is read; empty: no problem
};

struct SkippedEntry {
  std::string path;
  std::string reason;
  bool is_unchecked = false;  // may contain audio that was not checked
};

struct ProjectFiles {
  std::vector<ProjectFile> audio;     // by path
  std::vector<SkippedEntry> skipped;  // by path
  std::uint64_t other_files = 0;      // not audio
};

/// `path` is a folder or one file. `ignored` contains patterns of REUSE for paths relative to the folder: `*` within a
/// folder, `**` anywhere. Throws FolderError.
ProjectFiles find_audio(const std::string& path, std::span<const std::string> ignored);

}  // namespace tonearm::cli
