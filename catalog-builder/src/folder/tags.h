#pragma once
// Reads the tags of audio files with TagLib.

#include <string>

#include "folder/documents.h"

namespace tonearm::builder {

/// Returns the tags of a file as a statement of the document "tags", which is empty if the file has no readable tags.
/// Licenses come from LICENSE, WCOP, TXXX:LICENSE, and COPYRIGHT if it contains a Creative Commons URL. Texts that are
/// not UTF-8 are dropped. Never throws for the content of the file.
Statement read_tags(const std::string& path);

}  // namespace tonearm::builder
