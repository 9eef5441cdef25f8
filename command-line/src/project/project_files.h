#pragma once
// The audio files of a project's folder, and what was left out (CLI-9, CLI-13).

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tonearm::cli {

/// The folder cannot be looked at as a whole. Names the path and the reason.
class FolderError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// How much of a file is looked at.
enum class Depth : std::uint8_t {
  sound,    // its bytes and its sound
  bytes,    // a format that is not decoded
  name,     // too large
  nothing,  // a link that leads out of the folder, or nowhere; `trouble` says so
};

struct ProjectFile {
  std::string path;      // below the folder, with `/`
  std::string location;  // for the system
  Depth depth = Depth::sound;
  std::string trouble{};  // why less is looked at; empty: nothing is wrong
};

struct SkippedEntry {
  std::string path;
  std::string reason;
  bool is_unseen = false;  // may hold audio that nobody looked at
};

struct ProjectFiles {
  std::vector<ProjectFile> audio;     // by path
  std::vector<SkippedEntry> skipped;  // by path
  std::uint64_t other_files = 0;      // of no kind of audio
};

/// `path`: a folder, or one file. `ignored`: patterns as REUSE has them (`*` within a folder, `**` everywhere), of
/// paths below the folder. Throws FolderError.
ProjectFiles find_audio(const std::string& path, std::span<const std::string> ignored);

}  // namespace tonearm::cli
