#pragma once
// Unframes the body of a request: Boost.Beast's parser, behind the rules of strict_head.h for chunks. Not thread-safe.

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <stdexcept>
#include <string>

#include "http/strict_head.h"
#include "tonearm/service.h"

namespace tonearm::native {

/// The progress of a body. The last two are set by the code that reads the connection.
enum class BodyState : std::uint8_t { more, complete, too_long, malformed, ended, timed_out };

class BodyParser final : public boost::beast::http::basic_parser<true> {
 public:
  /// REQUIRES: framing.has_body().
  explicit BodyParser(const BodyFraming& framing) : framing_(framing) {
    body_limit(boost::none);  // until the head is parsed, or Beast would reject it for its Content-Length
    // Beast learns the framing from a head. The client's was parsed already.
    const std::string head = "POST / HTTP/1.1\r\n" +
                             (framing.is_chunked ? std::string("Transfer-Encoding: chunked")
                                                 : "Content-Length: " + std::to_string(framing.length)) +
                             "\r\n\r\n";
    ErrorCode error;
    put(boost::asio::buffer(head), error);
    if (!is_header_done()) throw std::logic_error("Beast rejects a head: " + error.message());
  }

  const BodyFraming& framing() const { return framing_; }
  bool announces_too_much() const { return framing_.length > kBodyBytesMax; }

  /// Parses what it can of the body and sets `consumed` to the number of bytes. After `complete` the rest belongs to
  /// the next request; after an error no next request can be found.
  BodyState put_body(std::string_view bytes, std::size_t& consumed) {
    consumed = 0;
    while (!is_done()) {
      const auto rest = bytes.substr(consumed);
      ErrorCode error;
      if (chunked() && chunk_left_ == 0) {
        const auto start = scan_chunk_start(before_chunk_, rest);
        if (start.state == ChunkStart::State::malformed) return BodyState::malformed;
        if (start.state == ChunkStart::State::more) return BodyState::more;
        if (start.state == ChunkStart::State::last) {
          consumed += start.bytes;
          put(boost::asio::buffer(last_chunk()), error);
          return error || !is_done() ? BodyState::malformed : BodyState::complete;
        }
      }
      if (rest.empty()) return BodyState::more;
      consumed += put(boost::asio::buffer(rest), error);
      if (error == boost::beast::http::error::need_more) return BodyState::more;
      if (error == boost::beast::http::error::body_limit) return BodyState::too_long;
      if (error) return BodyState::malformed;
    }
    return BodyState::complete;
  }

  std::string body;
  bool discards_body = false;

 private:
  using ErrorCode = boost::beast::error_code;
  using Text = boost::beast::string_view;
  using Size = std::uint64_t;

  void on_request_impl(boost::beast::http::verb /*verb*/, Text /*method*/, Text /*target*/, int /*version*/,
                       ErrorCode& /*error*/) override {}
  void on_response_impl(int /*status*/, Text /*reason*/, int /*version*/, ErrorCode& /*error*/) override {}
  void on_field_impl(boost::beast::http::field /*field*/, Text /*name*/, Text /*value*/,
                     ErrorCode& /*error*/) override {}
  void on_header_impl(ErrorCode& /*error*/) override { body_limit(kBodyBytesMax); }
  void on_body_init_impl(const boost::optional<Size>& /*length*/, ErrorCode& /*error*/) override {}
  std::size_t on_body_impl(Text data, ErrorCode& /*error*/) override {
    if (!discards_body) body += data;
    return data.size();
  }
  void on_chunk_header_impl(Size size, Text extensions, ErrorCode& error) override {
    chunk_left_ = size;
    before_chunk_ = BeforeChunk::data;
    extension_bytes_ += extensions.size();
    if (extension_bytes_ > kChunkExtensionBytesMax) error = boost::beast::http::error::bad_chunk_extension;
  }
  std::size_t on_chunk_body_impl(Size /*left*/, Text data, ErrorCode& error) override {
    chunk_left_ -= data.size();
    return on_body_impl(data, error);
  }
  void on_finish_impl(ErrorCode& /*error*/) override {}

  /// Returns the end of a body for Beast, without the trailer: it is read and ignored (RFC 9112, 7.1.2), but Beast
  /// would parse its fields.
  std::string_view last_chunk() const {
    constexpr std::string_view kLastChunk = "\r\n0\r\n\r\n";
    return kLastChunk.substr(before_chunk_ == BeforeChunk::data ? 0 : 2);
  }

  BodyFraming framing_;
  Size chunk_left_ = 0;
  BeforeChunk before_chunk_ = BeforeChunk::nothing;
  std::size_t extension_bytes_ = 0;
};

}  // namespace tonearm::native
