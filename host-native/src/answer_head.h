#pragma once
// What the host adds to an answer of the core, and the bytes that go before its body.

#include <cstdint>
#include <string>
#include <string_view>

#include "tonearm/http.h"
#include "tonearm/ports.h"

namespace tonearm::native {

/// An answer that the host makes by itself, in the one shape of errors (C1): the code says what it is, the
/// status may be a finer one (408, 414, 417, 431).
Response refusal(int status, std::string_view message);

/// The request's X-Request-Id where it is 1 to 64 of `[A-Za-z0-9._-]`, else a new one.
std::string request_id(const Headers& request_headers, Random& random);

/// RFC 9110, 5.6.7: "Sun, 06 Nov 1994 08:49:37 GMT". `now_ms`: Unix time in milliseconds.
std::string http_date(std::int64_t now_ms);

struct AnswerHead {
  const Response& response;
  std::string_view request_id;
  std::int64_t now_ms = 0;
  int minor_version = 1;
  bool keep_alive = true;
};

/// The status line and the fields, up to and including the empty line. Throws std::logic_error where a field
/// of the response holds a control character: it would split the answer.
std::string render_answer_head(const AnswerHead& answer);

}  // namespace tonearm::native
