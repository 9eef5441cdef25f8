#include "http/strict_head.h"

#include <doctest/doctest.h>

#include "http/parsed_head.h"

namespace tonearm::native {
namespace {

/// Returns the result of a head in one line: "ok keep 1.1", or the status of the refusal.
std::string outcome(std::string_view bytes) {
  StrictHead head;
  if (head.scan(bytes) != StrictHead::State::accepted) {
    CHECK_FALSE(head.error().message.empty());
    return std::to_string(head.error().status);
  }
  const auto& [minor_version, is_persistent, body] = head.framing();
  std::string out = "ok";
  if (body.length > 0) out += " length " + std::to_string(body.length);
  if (body.is_chunked) out += " chunked";
  out += is_persistent ? " keep" : " close";
  if (body.expects_continue) out += " continue";
  return out + " 1." + std::to_string(minor_version);
}

RequestHead parsed(std::string_view bytes) {
  StrictHead head;
  REQUIRE(head.scan(bytes) == StrictHead::State::accepted);
  return parse_head(bytes.substr(head.begin(), head.end() - head.begin()));
}

struct Row {
  std::string_view fields;  // after `Host: a`
  std::string_view outcome;
};

TEST_CASE("Framing and persistence follow from the fields") {
  constexpr Row kRows[] = {
      {"", "ok keep 1.1"},
      {"Content-Length: 0\r\n", "ok keep 1.1"},
      {"Content-Length: 17\r\n", "ok length 17 keep 1.1"},
      {"Content-Length: 9223372036854775807\r\n", "ok length 9223372036854775807 keep 1.1"},
      {"Content-Length: 9223372036854775808\r\n", "400"},
      {"Transfer-Encoding: chunked\r\n", "ok chunked keep 1.1"},
      {"transfer-encoding:chunked\r\n", "ok chunked keep 1.1"},
      {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "400"},
      {"Transfer-Encoding: CHUNKED\r\n", "ok chunked keep 1.1"},
      {"Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", "400"},
      {"Connection: close\r\n", "ok close 1.1"},
      {"Connection: a, CLOSE ,b\r\n", "ok close 1.1"},
      {"Connection: closed\r\n", "ok keep 1.1"},
      {"Connection: a\r\nConnection: close\r\n", "ok close 1.1"},
      {"Expect: 100-Continue\r\n", "ok keep continue 1.1"},
      {"Expect: 101\r\n", "417"},
      {"Expect:\r\n", "417"},
  };
  for (const auto& row : kRows) {
    CAPTURE(row.fields);
    CHECK(outcome("GET / HTTP/1.1\r\nHost: a\r\n" + std::string(row.fields) + "\r\n") == row.outcome);
  }
}

TEST_CASE("HTTP/1.0 closes, has no chunks and no expectations") {
  CHECK(outcome("GET / HTTP/1.0\r\n\r\n") == "ok close 1.0");
  CHECK(outcome("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n") == "ok keep 1.0");
  CHECK(outcome("GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n") == "ok close 1.0");
  CHECK(outcome("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n") == "400");
}

TEST_CASE("Every byte of a target is either kept unchanged or refused") {
  for (int byte = 0; byte < 256; ++byte) {
    CAPTURE(byte);
    const auto c = static_cast<char>(byte);
    const bool taken = byte > 0x20 && byte < 0x7f && std::string_view("\"<>#\\").find(c) == std::string_view::npos;
    const auto target = std::string("/a") + c + "b";
    const auto bytes = "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
    CHECK((outcome(bytes) == "ok keep 1.1") == taken);
    if (taken) CHECK(parsed(bytes).target == target);
  }
}

// HOST-4
TEST_CASE("A target in absolute form is reduced to its path and query") {
  CHECK(origin_form("/a?b") == "/a?b");
  CHECK(origin_form("*") == "*");
  CHECK(origin_form("http://a/b?c") == "/b?c");
  CHECK(origin_form("hTTps://[::1]:8/b") == "/b");
  CHECK(origin_form("http://a") == "/");
  CHECK(origin_form("http://a:80?c/d") == "/?c/d");
  CHECK(parsed("GET http://a/b?c HTTP/1.1\r\nHost: a\r\n\r\n").target == "/b?c");
}

TEST_CASE("Every byte of a field's name and value is either kept unchanged or refused") {
  for (int byte = 0; byte < 256; ++byte) {
    CAPTURE(byte);
    const auto c = static_cast<char>(byte);
    const bool alphanumeric = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z' && byte < 0x80;
    const bool in_name = alphanumeric || (byte >= '0' && byte <= '9') ||
                         (byte != 0 && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
    const auto name = std::string("X") + c + "Y";
    // A colon ends the name, and what follows is the value.
    CHECK((outcome("GET / HTTP/1.1\r\nHost: a\r\n" + name + ": v\r\n\r\n") != "400") == (in_name || c == ':'));
    const bool in_value = c == '\t' || (byte >= 0x20 && byte != 0x7f);
    CHECK((outcome(std::string("GET / HTTP/1.1\r\nHost: a\r\nX: v") + c + "w\r\n\r\n") != "400") == in_value);
  }
}

TEST_CASE("Fields stay separate and in order, without white space around their values") {
  const auto head = parsed("PUT /x?y HTTP/1.1\r\nHost: a\r\nX:\t b  c \r\nx:\r\n\r\n");
  CHECK(head.method == "PUT");
  CHECK(head.target == "/x?y");
  CHECK(head.headers == Headers{{"Host", "a"}, {"X", "b  c"}, {"x", ""}});
}

TEST_CASE("The scanner finds the same end however the bytes are split") {
  const std::string bytes = "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\nGET";
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    CAPTURE(cut);
    StrictHead scanner;
    const auto first = scanner.scan(std::string_view(bytes).substr(0, cut));
    if (first == StrictHead::State::more) CHECK(scanner.scan(bytes) == StrictHead::State::accepted);
    CHECK(scanner.begin() == 2);
    CHECK(scanner.end() == bytes.size() - 3);
  }
}

TEST_CASE("The scanner refuses at the first byte that no head can contain") {
  struct RefusedRow {
    std::string_view bytes;
    int status;
  };
  constexpr RefusedRow kRows[] = {
      {"GET / HTTP/1.1\n", 400},
      {"GET / HTTP/1.1\rH", 400},
      {"\x16\x03\x01", 400},
      {"\r\n\r\n", 400},
      {"\n", 400},
      {"GET / HTTP/1.1\r\nA: \x7f", 400},
  };
  for (const auto& row : kRows) {
    CAPTURE(row.bytes);
    StrictHead scanner;
    CHECK(scanner.scan(row.bytes) == StrictHead::State::refused);
    CHECK(scanner.error().status == row.status);
  }
}

TEST_CASE("The scanner limits the request line and the header") {
  StrictHead line;
  CHECK(line.scan(std::string(17'000, 'a')) == StrictHead::State::refused);
  CHECK(line.error().status == 414);
  StrictHead fields;
  CHECK(fields.scan("GET / HTTP/1.1\r\nA: " + std::string(40'000, 'a')) == StrictHead::State::refused);
  CHECK(fields.error().status == 431);
}

TEST_CASE("Among several connection options, close wins") {
  CHECK(outcome("GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n") == "ok close 1.0");
  CHECK(outcome("GET / HTTP/1.0\r\nProxy-Connection: keep-alive\r\n\r\n") == "ok close 1.0");
  CHECK(outcome("GET / HTTP/1.1\r\nHost: a\r\nProxy-Connection: close\r\n\r\n") == "ok keep 1.1");
}

TEST_CASE("Connection options are tokens; empty elements and Proxy-Connection are ignored") {
  CHECK(outcome("GET / HTTP/1.1\r\nHost: a\r\nConnection: a b\r\n\r\n") == "400");
  CHECK(outcome("GET / HTTP/1.1\r\nHost: a\r\nConnection: a,\r\nconnection: \"b\"\r\n\r\n") == "400");
  CHECK(outcome("GET / HTTP/1.1\r\nHost: a\r\nConnection: , close,,\r\n\r\n") == "ok close 1.1");
  CHECK(outcome("GET / HTTP/1.1\r\nHost: a\r\nConnection:\r\n\r\n") == "ok keep 1.1");
  CHECK(outcome("GET / HTTP/1.1\r\nHost: a\r\nProxy-Connection: a b\r\n\r\n") == "ok keep 1.1");
}

TEST_CASE("A head is judged the same however its bytes are split") {
  for (const std::string bytes :
       {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", "GET / HTTP/1.1\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: \x01\r\n\r\n", "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n\r\r\n"}) {
    CAPTURE(bytes);
    StrictHead whole;
    const auto state = whole.scan(bytes);
    CHECK(state != StrictHead::State::more);
    for (std::size_t step = 1; step <= 5; ++step) {
      CAPTURE(step);
      StrictHead head;
      auto state_in_steps = StrictHead::State::more;
      for (std::size_t given = step; state_in_steps == StrictHead::State::more; given += step) {
        state_in_steps = head.scan(std::string_view(bytes).substr(0, given));
      }
      CHECK(state_in_steps == state);
      CHECK(head.error().message == whole.error().message);
      if (state == StrictHead::State::accepted) CHECK(head.end() == whole.end());
    }
  }
}

}  // namespace
}  // namespace tonearm::native
