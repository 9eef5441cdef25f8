#pragma once
// `tonearm-catalog demo`: audio files, their list, and a snapshot of them (BUILD-15, BUILD-16).

#include <string>

#include "program/build.h"
#include "system/progress.h"
#include "tonearm/ports.h"

namespace tonearm::builder {

struct DemoOutcome {
  int status = 0;       // the exit status of tonearm-demo, which has printed its messages; 0: the snapshot was built
  std::string summary;  // of the snapshot
};

/// Runs tonearm-demo, which writes DIR/audio and DIR/scores, and builds DIR/catalog.sqlite and DIR/media from the
/// folder source DIR/audio. `options` contain the URLs. Throws Failure.
DemoOutcome build_demo(const std::string& folder, BuildOptions options, Hashing& hashing, native::Progress& progress);

}  // namespace tonearm::builder
