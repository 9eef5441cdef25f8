#pragma once
// Everything of the demo but its catalog: audio files, scores, and the list that says what they are.
//
//   FOLDER/audio/                pieces (.ogg), and recordings in a folder for each package
//   FOLDER/audio/list.csv        title, artist, license ... of each audio file
//   FOLDER/audio/tonearm.toml    settings of the folder source, which reads all of FOLDER/audio
//   FOLDER/scores/               the pieces as MIDI files
//
// What stands there and is unchanged is not made again; every file is published by renaming, so that a run that was
// stopped leaves nothing half-written. Audio files that an earlier list names and this one does not are removed.

#include <cstdint>
#include <string>
#include <vector>

#include "demo/recordings.h"
#include "runtime/progress.h"

namespace tonearm::builder::demo {

struct Folders {
  std::string folder;
  std::string soundfont = "/usr/share/sounds/sf2/FluidR3_GM.sf2";
  std::string root;  // before the paths of the packages' recordings
};

struct Made {
  std::string audio;  // the folder of audio files
  std::size_t pieces = 0;
  std::size_t rendered = 0;  // of them now
  std::size_t recordings = 0;
  std::vector<LeftOut> left_out;
};

/// Throws Failure where the soundfont is not installed, naming its package, or a file cannot be written.
Made make_demo(const Folders& folders, Progress& progress);

}  // namespace tonearm::builder::demo
