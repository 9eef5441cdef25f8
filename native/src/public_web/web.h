#pragma once
// A port to web servers that third parties choose: concurrent single requests, without redirects and cookies.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tonearm::public_web {

struct WebRequest {
  enum class Kind : std::uint8_t {
    head,   // HEAD
    start,  // GET of the first KiB
    page,   // GET of at most `bytes_max`
    post,   // POST of `body`; only the fields of the response are read
  };

  std::size_t ticket = 0;  // identifies the response
  std::string url;
  Kind kind = Kind::head;
  std::size_t bytes_max = 0;          // of the body of the response; the rest is not read
  std::vector<std::string> fields{};  // further header fields: "Name: value"
  std::string body{};                 // of a POST
};

struct WebResponse {
  std::size_t ticket = 0;
  int status = 0;              // 0: no response; `error` has the reason
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
  /// Sends a request. Each request gets one response.
  virtual void start(const WebRequest& request) = 0;
  /// Waits for the next response; nullopt after `wait_ms`.
  virtual std::optional<WebResponse> next(std::int64_t wait_ms) = 0;
  /// The time of a monotonic clock in milliseconds.
  virtual std::int64_t now_ms() = 0;
};

}  // namespace tonearm::public_web
