#pragma once
// Finds the audio files of a project folder or an edit list, and reports skipped entries (CLI-9, CLI-13, CLI-25).

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "edits/edit_clips.h"

namespace tonearm::cli {

/// The folder or edit list cannot be read completely. Contains the path and the reason.
class FolderError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How much of a file is read.
enum class Depth : std::uint8_t {
  sound,  // its bytes and its audio
  bytes,  // its format is not decoded
  name,   // it is too large, or an edit list names it
  none,   // a link out of the folder, or a broken link; see `problem`
};

struct ProjectFile {
  std::string path;      // relative to the folder, with `/`
  std::string location;  // the path to open
  Depth depth = Depth::sound;
  std::string problem{};           // why less is read; empty: no problem
  std::vector<TimeRange> times{};  // in an edit or film
};

struct SkippedEntry {
  std::string path;
  std::string reason;
  bool is_unchecked = false;  // may contain audio that was not checked
};

struct ProjectFiles {
  std::vector<ProjectFile> audio;     // by path
  std::vector<SkippedEntry> skipped;  // by path
  std::uint64_t other_files = 0;      // not audio; of an edit: clips without sound
};

/// `path` is a folder or one file. `ignored` contains patterns of REUSE for paths relative to the folder: `*` within a
/// folder, `**` anywhere. Throws FolderError.
ProjectFiles find_audio(const std::string& path, std::span<const std::string> ignored);

/// Finds the files that an edit list names; the list never makes a file be read. `frame_rate`: that of an EDL. Throws
/// FolderError.
ProjectFiles find_edited_audio(const std::string& path, std::span<const std::string> ignored, double frame_rate);

}  // namespace tonearm::cli
