#pragma once
// Answers of the host itself, and the head of every answer. Thread-safe.

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "tonearm/http.h"
#include "tonearm/ports.h"

namespace tonearm::native {

/// An answer that the host makes by itself, in the one shape of errors (ERROR-1): the code says what it is, the
/// status may be a finer one (408, 414, 417, 431).
Response refusal(int status, std::string_view message);

/// Ids of requests. Safe for concurrent calls.
class RequestIds {
 public:
  explicit RequestIds(Random& random) : random_(random) {}

  /// The request's X-Request-Id where it is 1 to 64 of `[A-Za-z0-9._-]`, else a new one.
  std::string of(const Headers& request_headers);

 private:
  static constexpr std::size_t kBytes = 12;
  static constexpr std::size_t kAtOnce = 64;

  Random& random_;
  std::mutex mutex_;
  std::array<std::uint8_t, kBytes * kAtOnce> bytes_{};  // of the next ids: a call of the system for many
  std::size_t left_ = 0;
};

/// What the head of an answer says besides its response.
struct HostFields {
  std::string_view request_id;
  std::int64_t now_ms = 0;  // Unix time
  int minor_version = 1;    // of the request
  bool keep_alive = true;
};

/// The status line and the fields, up to and including the empty line. Throws std::logic_error where a field of the
/// response holds a control character: it would split the answer.
std::string render_head(const Response& response, const HostFields& values);

}  // namespace tonearm::native
