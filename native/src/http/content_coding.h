#pragma once
// Compression of responses by Accept-Encoding (RFC 9110, 12.5.3). A compressed response is another representation, so
// its strong entity tag gets a suffix. Pure, thread-safe.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tonearm/http.h"

namespace tonearm::native {

enum class Coding : std::uint8_t { identity, gzip, zstd };

/// Smaller bodies do not shrink, in bytes.
inline constexpr std::size_t kCompressBytesMin = 1024;

struct CodingChoice {
  Coding coding = Coding::identity;
  bool identity_refused = false;  // by `identity;q=0`: small bodies are encoded too
};

/// Returns the coding that Accept-Encoding prefers; at equal quality zstd, then gzip, then identity. Returns identity
/// if no supported coding is acceptable.
CodingChoice choose_coding(const Headers& request_headers);

/// Removes `-gzip` and `-zstd` from the tags in If-None-Match, so that the core sees its own tags.
void restore_entity_tags(Headers& request_headers);

/// Returns whether `encode_response` will compress the body.
bool will_compress(const Headers& request_headers, const Response& response);

/// Compresses the body if that is worthwhile and sets Content-Encoding, Vary and the suffix of the ETag.
/// `request_headers` are the original ones, before `restore_entity_tags`.
void encode_response(const Headers& request_headers, Response& response);

/// These throw std::runtime_error when out of memory.
std::string gzip_compressed(std::string_view data);
std::string zstd_compressed(std::string_view data);

}  // namespace tonearm::native
