#pragma once
// SHA-256 of bytes and files.

#include <optional>
#include <string>
#include <string_view>

#include "tonearm/track.h"

namespace tonearm::audio {

TrackAudio::Sha256 sha256_of(std::string_view bytes);
/// Reads a regular file in blocks. Returns nothing if it is not readable.
std::optional<TrackAudio::Sha256> sha256_of_file(const std::string& path);

}  // namespace tonearm::audio
