#pragma once
// `tonearm-catalog demo`: audio, its list, and the snapshot of them (BUILD-15, BUILD-16).

#include <string>

#include "program/build.h"
#include "runtime/progress.h"
#include "tonearm/ports.h"

namespace tonearm::builder {

/// Makes DIR/audio and DIR/scores, and of DIR/audio, as a folder source, DIR/media and DIR/catalog.sqlite; `options`
/// give the addresses. Says what was made and what was left out, as text of one or more lines. Throws Failure.
std::string build_demo(const std::string& folder, BuildOptions options, Hashing& hashing, Progress& progress);

}  // namespace tonearm::builder
