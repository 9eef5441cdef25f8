#pragma once
// What an audio file's own tags say, as TagLib reads them.

#include <string>

#include "folder/documents.h"

namespace tonearm::builder {

/// The tags of a file as a statement of the document "tags"; empty where it has none or is not understood. License
/// statements are LICENSE, COPYRIGHT where it holds an address of Creative Commons, WCOP and TXXX:LICENSE. Texts that
/// are not UTF-8 are dropped. Never throws for what the file holds.
Statement read_tags(const std::string& path);

}  // namespace tonearm::builder
