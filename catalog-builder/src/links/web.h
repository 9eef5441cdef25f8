#pragma once
// The network as the check of links sees it: single exchanges, several at a time, no redirects, no cookies.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tonearm::builder {

struct WebRequest {
  enum class Kind : std::uint8_t {
    head,   // HEAD
    start,  // GET of the first KiB
    page,   // GET of at most `bytes_max`
  };

  std::size_t ticket = 0;  // comes back with the answer
  std::string url;
  Kind kind = Kind::head;
  std::size_t bytes_max = 0;  // of the body; what is behind is not read
};

struct WebAnswer {
  std::size_t ticket = 0;
  int status = 0;              // 0: no answer; then `error` says why
  bool is_not_public = false;  // the host has no public address
  std::string error;           // "not found in the DNS"
  std::string content_type;    // "audio/mpeg; ..."
  std::string location;        // of a redirect, absolute; empty: none
  std::uint32_t retry_after_s = 0;
  std::string body;
};

class Web {
 public:
  virtual ~Web() = default;
  /// Begins an exchange. Each ends with one answer.
  virtual void ask(const WebRequest& request) = 0;
  /// The next answer, or nothing when `wait_ms` are over.
  virtual std::optional<WebAnswer> next(std::int64_t wait_ms) = 0;
  /// Milliseconds of a clock that never steps back.
  virtual std::int64_t now_ms() = 0;
};

}  // namespace tonearm::builder
