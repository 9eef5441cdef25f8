#pragma once
// The number of an Ogg stream. libsndfile draws it by chance; a fixed number makes the same file of the same sound.

#include <cstdint>
#include <string>

namespace tonearm::audio {

/// Gives the only stream in `bytes` this number (RFC 3533, 6). Throws Failure for what is no whole Ogg file.
void number_stream(std::string& bytes, std::uint32_t serial);

}  // namespace tonearm::audio
