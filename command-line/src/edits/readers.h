#pragma once
// The readers of the formats of edit lists. Each throws EditError if the text is not of its format.

#include <string_view>

#include "edits/edit_clips.h"

namespace tonearm::cli {

void read_otio(std::string_view text, EditClips& clips);
/// Reads XML: FCPXML or that of Final Cut Pro 7, by its root element.
void read_edit_xml(std::string_view text, EditClips& clips);
/// An EDL does not state its frame rate. For a list in drop-frame timecode it is 30000/1001 or 60000/1001.
void read_edl(std::string_view text, double frame_rate, EditClips& clips);

}  // namespace tonearm::cli
