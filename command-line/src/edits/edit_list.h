#pragma once
// Edit lists: which audio files an edit uses, and when (CLI-25).

#include <span>
#include <string>
#include <vector>

#include "edits/edit_clips.h"

namespace tonearm::cli {

/// An audio file of an edit.
struct EditedFile {
  std::string name;
  std::vector<TimeRange> times;  // in order; uses that overlap or touch are one
};

struct EditList {
  std::vector<EditedFile> files;      // by name
  std::vector<std::string> problems;  // what cannot be looked up
  std::size_t silent_clips = 0;
};

/// Whether a path is that of an edit list, by its extension: .otio, .fcpxml, .xml, .edl, or .fcpxmld, which is a
/// folder.
bool is_edit_list(const std::string& path);

/// `frame_rate`: that of an EDL. Throws EditError.
EditList read_edit_list(const std::string& path, double frame_rate);

/// Does the same for the text of a list with such an extension ("otio").
EditList read_edit_text(const std::string& extension, std::string_view text, double frame_rate);

}  // namespace tonearm::cli
