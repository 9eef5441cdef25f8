#include "chunked_body.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace tonearm::native {
namespace {

using State = ChunkedBody::State;

TEST_CASE("A chunked body is the same however its bytes are cut") {
  const std::string bytes = "5;a=b\r\nhello\r\n10\r\n0123456789abcdef\r\n0\r\n\r\nGET";
  for (std::size_t size = 1; size <= bytes.size(); ++size) {
    CAPTURE(size);
    ChunkedBody body(100);
    auto state = State::more;
    std::size_t at = 0;
    while (state == State::more) {
      std::size_t consumed = 0;
      const auto piece = std::string_view(bytes).substr(at, size);
      REQUIRE_FALSE(piece.empty());
      state = body.feed(piece, consumed);
      at += consumed;
    }
    CHECK(state == State::complete);
    CHECK(at == bytes.size() - 3);
    CHECK(body.data() == "hello0123456789abcdef");
  }
}

TEST_CASE("A body of exactly the bound passes, one byte more is too long") {
  std::size_t consumed = 0;
  CHECK(ChunkedBody(5).feed("5\r\nhello\r\n0\r\n\r\n", consumed) == State::complete);
  CHECK(ChunkedBody(4).feed("5\r\nhello\r\n0\r\n\r\n", consumed) == State::too_long);
  CHECK(ChunkedBody(4).feed("4\r\nhell\r\n1\r\no\r\n0\r\n\r\n", consumed) == State::too_long);
}

TEST_CASE("Chunk extensions are bounded over the whole body") {
  const auto with_extensions = [](std::size_t bytes) {
    std::string text;
    for (std::size_t left = bytes; left > 0;) {
      const auto part = std::min<std::size_t>(left, 100);
      text += "1;" + std::string(part - 1, 'x') + "\r\na\r\n";
      left -= part;
    }
    return text + "0\r\n\r\n";
  };
  std::size_t consumed = 0;
  CHECK(ChunkedBody(100).feed(with_extensions(kChunkExtensionBytesMax), consumed) == State::complete);
  CHECK(ChunkedBody(100).feed(with_extensions(kChunkExtensionBytesMax + 1), consumed) == State::fault);
}

TEST_CASE("Trailers and malformed sizes are faults") {
  for (const auto* bytes :
       {"0\r\nA: b\r\n\r\n", "x", "\r\n", "123456789\r\n", "5\n", "5 \r\n", "1\r\nab", "1\r\na\n"}) {
    CAPTURE(bytes);
    std::size_t consumed = 0;
    CHECK(ChunkedBody(100).feed(bytes, consumed) == State::fault);
  }
}

}  // namespace
}  // namespace tonearm::native
