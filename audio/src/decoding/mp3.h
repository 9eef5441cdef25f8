#pragma once
// Decodes MP3 files with libmpg123 and skips damaged frames. docs/adr/0082-audio-is-decoded-by-libsndfile.md

#include <optional>
#include <string>

#include "decoding/decoded_audio.h"

namespace tonearm::audio {

/// Decodes an MP3 file like `decode`. Skips frames that are damaged or have another sample rate or number of channels
/// than the first one.
std::optional<std::string> decode_mp3(const std::string& path, SampleSink& sink);

std::string mp3_decoder_version();

}  // namespace tonearm::audio
