#pragma once
// Writes the demo: audio files, scores, and the list that describes them.
//
//   FOLDER/audio/                pieces (.ogg), and recordings in a folder for each package
//   FOLDER/audio/list.csv        title, artist, license ... of each audio file
//   FOLDER/audio/tonearm.toml    settings of the folder source, which reads FOLDER/audio
//   FOLDER/scores/               the pieces as MIDI files
//
// Unchanged files are not written again. Every file is published by renaming, so an interrupted run leaves no partial
// file. Audio files that an earlier list names and the new one does not are removed.

#include <cstdint>
#include <string>
#include <vector>

#include "output/recordings.h"
#include "system/progress.h"

namespace tonearm::demo {

struct DemoPaths {
  std::string folder;
  std::string soundfont = "/usr/share/sounds/sf2/FluidR3_GM.sf2";
  std::string root;  // prefix of the paths of packages
};

struct DemoSummary {
  std::size_t pieces = 0;
  std::size_t rendered = 0;  // pieces that this run rendered
  std::size_t recordings = 0;
  std::vector<RejectedRecording> rejected;
};

/// Throws Failure if the soundfont is missing, naming its package, or if a file is not writable.
DemoSummary write_demo(const DemoPaths& paths, native::Progress& progress);

/// Describes the summary in a few lines for a person.
std::string text_of(const DemoSummary& summary, const std::string& folder);

}  // namespace tonearm::demo
