#pragma once
// Sets the serial number of an Ogg stream. libsndfile chooses it at random; a fixed number makes encoded files
// reproducible.

#include <cstdint>
#include <string>

namespace tonearm::audio {

/// Sets the serial number of the only stream in `bytes` (RFC 3533, 6). Throws Failure if `bytes` are not a complete Ogg
/// file.
void set_stream_serial(std::string& bytes, std::uint32_t serial);

}  // namespace tonearm::audio
