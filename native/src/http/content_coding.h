#pragma once
// Compression of answers, chosen by Accept-Encoding (RFC 9110, 12.5.3), and the entity tags that go with it:
// a compressed form is another representation, so its strong tag gets a suffix. Pure, thread-safe.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tonearm/http.h"

namespace tonearm::native {

enum class Coding : std::uint8_t { identity, gzip, zstd };

/// Smaller bodies gain nothing, in bytes.
inline constexpr std::size_t kCompressBytesMin = 1024;

struct CodingChoice {
  Coding coding = Coding::identity;
  bool identity_refused = false;  // `identity;q=0`: then small bodies are encoded too
};

/// What the request's Accept-Encoding fields prefer; zstd before gzip before identity at equal quality. Where
/// nothing that can be done is acceptable: identity.
CodingChoice choose_coding(const Headers& request_headers);

/// Takes `-gzip` and `-zstd` off the ends of the tags in If-None-Match, so that the core sees its own tags.
void restore_entity_tags(Headers& request_headers);

/// Whether `encode_response` will compress the body.
bool is_to_be_compressed(const Headers& request_headers, const Response& response);

/// Encodes the body where that is worth it and sets Content-Encoding, Vary and the suffix of the ETag.
/// `request_headers` are those that came, before `restore_entity_tags`.
void encode_response(const Headers& request_headers, Response& response);

/// Throw std::runtime_error when out of memory.
std::string gzip_compressed(std::string_view data);
std::string zstd_compressed(std::string_view data);

}  // namespace tonearm::native
