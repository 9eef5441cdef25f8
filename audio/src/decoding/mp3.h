#pragma once
// Decodes MP3 files with libmpg123 and skips damaged frames. docs/adr/0082-audio-is-decoded-by-libsndfile.md

#include <cstdint>
#include <optional>
#include <string>

#include "decoding/decoded_audio.h"

namespace tonearm::audio {

enum class AudioStart : std::uint8_t { unknown, mpeg, container };

/// Returns what the file contains after its ID3v2 tags: a frame of MPEG audio, or a container of WAV, AIFF, FLAC or
/// Ogg.
AudioStart start_of_audio(const std::string& path);

/// Decodes an MP3 file like `decode`. Skips frames that are damaged or have another sample rate or number of channels
/// than the first one.
std::optional<std::string> decode_mp3(const std::string& path, SampleSink& sink);

std::string mp3_decoder_version();

}  // namespace tonearm::audio
