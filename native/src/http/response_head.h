#pragma once
// Heads of responses, and the error responses of the host itself. Thread-safe.

#include <cstdint>
#include <string>
#include <string_view>

#include "tonearm/http.h"
#include "tonearm/ports.h"

namespace tonearm::native {

/// Returns an error response of the host in the common shape (ERROR-1). The status may be more specific than the code
/// (408, 414, 417, 431).
Response refusal(int status, std::string_view message);

/// Makes request ids. Safe for concurrent calls. The objects that a thread uses must have the same source, because the
/// thread takes random bytes from it for many ids at a time.
class RequestIds {
 public:
  explicit RequestIds(Random& random) : random_(random) {}

  /// Returns the request's X-Request-Id if it is 1 to 64 characters of `[A-Za-z0-9._-]`, otherwise a new id.
  std::string id_for(const Headers& request_headers);

 private:
  Random& random_;
};

/// What the host adds to the head of a response.
struct HostFields {
  std::string_view request_id;
  std::int64_t now_ms = 0;  // Unix time
  int minor_version = 1;    // of the request
  bool keep_alive = true;
};

/// Renders the status line and the fields, including the empty line. Throws std::logic_error if a field of the response
/// contains a control character, because that would split the response.
std::string render_head(const Response& response, const HostFields& values);

}  // namespace tonearm::native
