#pragma once
// Decodes MP3 files with libmpg123 and skips damaged frames. docs/adr/0082-audio-is-decoded-by-libsndfile.md

#include <cstdint>
#include <optional>
#include <string>

#include "decoding/decoded_audio.h"

namespace tonearm::audio {

enum class MpegStart : std::uint8_t { none, valid, damaged };

/// Returns whether the file begins, after its ID3v2 tags, with a frame of MPEG audio; `damaged` if the frame's header
/// has values that MPEG audio does not use.
MpegStart start_of_mpeg(const std::string& path);

/// Decodes an MP3 file like `decode`. Skips frames that are damaged or have another sample rate or number of channels
/// than the first one.
std::optional<std::string> decode_mp3(const std::string& path, SampleSink& sink);

std::string mp3_decoder_version();

}  // namespace tonearm::audio
