#pragma once
// SHA-256 of bytes and of files.

#include <optional>
#include <string>
#include <string_view>

#include "tonearm/track.h"

namespace tonearm::audio {

TrackAudio::Sha256 sha256_of(std::string_view bytes);
/// Of what a regular file holds, read in parts; none: it cannot be read.
std::optional<TrackAudio::Sha256> sha256_of_file(const std::string& path);

}  // namespace tonearm::audio
