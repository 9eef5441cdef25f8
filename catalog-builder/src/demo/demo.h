#pragma once
// Everything of the demo but its catalog: audio files, scores, and the lists that say what they are.
//
//   FOLDER/audio/     pieces (.ogg), and recordings in a folder for each package
//   FOLDER/scores/    the pieces as MIDI files
//   FOLDER/audio/list.csv     title, artist, license ... of each audio file
//   FOLDER/tracks.jsonl       the same as canonical lines
//
// What stands there and is unchanged is not made again; every file is published by renaming, so that a run that was
// stopped leaves nothing half-written.

#include <cstdint>
#include <string>

#include "demo/recordings.h"
#include "runtime/progress.h"
#include "tonearm/ports.h"

namespace tonearm::builder::demo {

struct Folders {
  std::string folder;
  std::string soundfont = "/usr/share/sounds/sf2/FluidR3_GM.sf2";
  std::string root;  // before the paths of the packages' recordings
};

struct Made {
  std::string lines;  // the path of the canonical lines
  std::size_t pieces = 0;
  std::size_t rendered = 0;  // of them now
  std::size_t recordings = 0;
  std::vector<LeftOut> left_out;
};

/// Throws Failure where the soundfont is not installed, naming its package, or a file cannot be written.
Made make_demo(const Folders& folders, Hashing& hashing, Progress& progress);

}  // namespace tonearm::builder::demo
