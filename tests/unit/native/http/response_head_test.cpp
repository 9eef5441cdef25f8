#include "http/response_head.h"

#include <doctest/doctest.h>

#include <stdexcept>

namespace tonearm::native {
namespace {

constexpr HostFields kFields{"id-1", 784'111'777'000, 1, true};

bool has_line(const std::string& head, const std::string& line) {
  return head.find("\r\n" + line + "\r\n") != std::string::npos;
}

}  // namespace

TEST_CASE("a status line has a space after the status, even without a reason (RFC 9112, 4)") {
  CHECK(render_head({200, {}, ""}, kFields).find("HTTP/1.1 200 OK\r\n") == 0);
  CHECK(render_head({413, {}, ""}, kFields).find("HTTP/1.1 413 Content Too Large\r\n") == 0);
  CHECK(render_head({299, {}, ""}, kFields).find("HTTP/1.1 299 ") == 0);
}

TEST_CASE("a head has a length, a date in the fixed form, and no transfer coding (RFC 9110, 5.6.7, 6.6.1, 8.6)") {
  const auto head = render_head({200, {{"ETag", "\"a\""}}, "rain"}, kFields);
  CHECK(has_line(head, "Content-Length: 4"));
  CHECK(has_line(head, "Date: Sun, 06 Nov 1994 08:49:37 GMT"));
  CHECK(has_line(head, "ETag: \"a\""));
  CHECK(head.find("Transfer-Encoding") == std::string::npos);
  CHECK(head.find("Connection") == std::string::npos);
  for (const int status : {204, 304}) {
    CHECK(render_head({status, {}, ""}, kFields).find("Content-Length") == std::string::npos);
  }
}

TEST_CASE("a head says whether the connection persists, where the version does not (RFC 9112, 9.3)") {
  HostFields fields = kFields;
  fields.minor_version = 0;
  CHECK(has_line(render_head({200, {}, ""}, fields), "Connection: keep-alive"));
  fields.keep_alive = false;
  CHECK(has_line(render_head({200, {}, ""}, fields), "Connection: close"));
}

TEST_CASE("a field of the core cannot split a response") {
  for (const char* value : {"a\r\nX-Evil: b", "a\n", "a\r", "\x7f", "\x01"}) {
    CHECK_THROWS_AS(render_head({200, {{"X-Name", value}}, ""}, kFields), std::logic_error);
  }
  CHECK_NOTHROW(render_head({200, {{"X-Name", "a\tb \xc3\xa4"}}, ""}, kFields));
}

}  // namespace tonearm::native
