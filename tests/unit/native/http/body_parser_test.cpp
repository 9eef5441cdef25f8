#include "http/body_parser.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace tonearm::native {
namespace {

/// Parses a body in pieces of a given size until the state is no longer `more`.
struct Upload {
  explicit Upload(std::string_view bytes, std::size_t piece_bytes = std::string_view::npos) {
    std::size_t given = 0;
    while (state == BodyState::more && given < bytes.size()) {
      given += std::min(piece_bytes, bytes.size() - given);
      std::size_t count = 0;
      state = parser.put_body(bytes.substr(taken, given - taken), count);
      taken += count;
    }
  }

  BodyParser parser{{.is_chunked = true}};
  BodyState state = BodyState::more;
  std::size_t taken = 0;
};

TEST_CASE("A chunked body is the same however its bytes are split") {
  const std::string bytes = "5;a=b\r\nhello\r\n10\r\n0123456789abcdef\r\n0\r\n\r\nGET";
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    CAPTURE(size);
    const Upload upload(bytes, size);
    CHECK(upload.state == BodyState::complete);
    CHECK(upload.taken == bytes.size() - 3);
    CHECK(upload.parser.body == "hello0123456789abcdef");
  }
}

TEST_CASE("An empty chunked body is complete however its bytes are split") {
  for (std::size_t size = 1; size <= 5; ++size) {
    CAPTURE(size);
    const Upload upload("0\r\n\r\n", size);
    CHECK(upload.state == BodyState::complete);
    CHECK(upload.parser.body.empty());
  }
}

TEST_CASE("A body of exactly the maximum size passes; one byte more is too long") {
  const std::string most = "3fffe\r\n" + std::string(kBodyBytesMax - 2, 'a') + "\r\n";
  CHECK(Upload(most + "2\r\nbb\r\n0\r\n\r\n").state == BodyState::complete);
  CHECK(Upload(most + "3\r\n").state == BodyState::too_long);
  CHECK(Upload("40001\r\n").state == BodyState::too_long);
}

TEST_CASE("Chunk extensions are limited for the whole body") {
  const auto with_extensions = [](std::size_t bytes) {
    std::string text;
    for (std::size_t left = bytes; left > 0;) {
      const auto part = std::min<std::size_t>(left, 100);
      text += "1;" + std::string(part - 1, 'x') + "\r\na\r\n";
      left -= part;
    }
    return text + "0\r\n\r\n";
  };
  CHECK(Upload(with_extensions(kChunkExtensionBytesMax)).state == BodyState::complete);
  CHECK(Upload(with_extensions(kChunkExtensionBytesMax + 1)).state == BodyState::malformed);
}

TEST_CASE("Bytes that no chunked body may contain are refused at once, not at the end of the line") {
  for (const std::string bytes :
       {"0\r\n A: b\r\n", "0\r\n\n", "0\r\nA:\x01", "0\r\nA\r\n", "0\r\n\r\r", "x", "\r\n", "123456789", "000000001",
        "5\n", "5 \r\n", "5\r\r", "5;\x7f", "5;a=\"\r\n", "5;a=\"b\\\"\r\nhello\r\n", "1\r\nab\r\n", "1\r\na\nb\r\n",
        "1\r\na\r\nx", "1;a=\"\n\"\r\n"}) {
    CAPTURE(bytes);
    CHECK(Upload(bytes).state == BodyState::malformed);
  }
  CHECK(Upload("5;" + std::string(kChunkExtensionBytesMax, 'a')).state == BodyState::malformed);
}

TEST_CASE("A trailer is read to its last byte however it is split, and ignored") {
  const std::string bytes = "5\r\nhello\r\n0;a\r\nConnection: close\r\nX:\r\n\r\nGET";
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    CAPTURE(size);
    const Upload upload(bytes, size);
    CHECK(upload.state == BodyState::complete);
    CHECK(upload.taken == bytes.size() - 3);
    CHECK(upload.parser.body == "hello");
  }
}

TEST_CASE("A body with a Content-Length is read to its last byte") {
  BodyParser parser({.length = 5});
  std::size_t taken = 0;
  CHECK(parser.put_body("hel", taken) == BodyState::more);
  CHECK(parser.put_body("loGET", taken) == BodyState::complete);
  CHECK(taken == 2);
  CHECK(parser.body == "hello");
}

}  // namespace
}  // namespace tonearm::native
