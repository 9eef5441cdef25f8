#pragma once
// Decodes MP3 files with libmpg123, past damaged frames. docs/adr/0082-audio-is-decoded-by-libsndfile.md

#include <optional>
#include <string>

#include "decoding/decoded_audio.h"

namespace tonearm::audio {

/// As `decode`, for a file that is MP3. Frames that are damaged, or that claim another rate or number of channels than
/// the first one, are left out.
std::optional<std::string> decode_mp3(const std::string& path, AudioSink& sink);

std::string mp3_decoder_version();

}  // namespace tonearm::audio
