#pragma once
// The extensions of audio files (CLI-9). Pure, thread-safe.

#include <string_view>

namespace tonearm::cli {

/// Whether `tonearm` decodes files of such a name.
bool is_decoded_name(std::string_view name);
/// Whether such a name is that of audio, decoded or not.
bool is_audio_name(std::string_view name);

}  // namespace tonearm::cli
