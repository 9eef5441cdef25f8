#pragma once
// What the server needs of a request's head. Pure, thread-safe.

#include <cstdint>
#include <string_view>

#include "tonearm/http.h"

namespace tonearm::native {

/// How a body is framed (RFC 9112, 6), and whether the client waits before it sends the body (RFC 9110, 10.1.1).
struct BodyFraming {
  bool is_chunked = false;
  std::uint64_t length = 0;  // 0 if it is chunked
  bool expects_continue = false;

  bool has_body() const { return is_chunked || length > 0; }
};

struct ParsedHead {
  RequestHead request;  // without the client
  int minor_version = 1;
  /// RFC 9112, 9.3: "close" overrides "keep-alive". Proxy-Connection is ignored.
  bool is_persistent = true;
  BodyFraming body;
};

/// Parses a complete head, without an empty line before it. REQUIRES: strict_head.h accepted it.
ParsedHead parse_head(std::string_view head);

}  // namespace tonearm::native
