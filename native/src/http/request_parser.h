#pragma once
// Boost.Beast's parser, which fills the core's plain request. It parses only heads that passed strict_head.h, so few
// errors are left to it. Not thread-safe.

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <string>

#include "http/strict_head.h"
#include "tonearm/http.h"
#include "tonearm/service.h"

namespace tonearm::native {

/// The progress of a body. The last two are set by the code that reads the connection.
enum class BodyState : std::uint8_t { more, complete, too_long, malformed, ended, timed_out };

class RequestParser final : public boost::beast::http::basic_parser<true> {
 public:
  RequestParser() {
    header_limit(kHeadBytesMax);
    body_limit(boost::none);  // otherwise Beast would reject a head for its Content-Length, before admission
  }

  /// Parses a complete head. Returns false if Beast rejects it for a rule that strict_head.h leaves to Beast.
  bool put_head(std::string_view bytes) {
    ErrorCode error;
    put(boost::asio::buffer(bytes), error);
    return !error;
  }

  /// Parses what it can of the body and sets `consumed` to the number of bytes. After `complete` the rest belongs to
  /// the next request; after an error no next request can be found. REQUIRES: is_header_done().
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

  Request request;
  int minor_version = 1;
  bool expects_continue = false;
  bool discards_body = false;

  /// RFC 9112, 9.3: unlike in Beast's `keep_alive`, "close" overrides "keep-alive" in HTTP/1.0, too, and
  /// Proxy-Connection is ignored.
  bool is_persistent() const { return !closes_ && (minor_version == 1 || keeps_alive_); }

 private:
  using ErrorCode = boost::beast::error_code;
  using Text = boost::beast::string_view;
  using Field = boost::beast::http::field;
  using Size = std::uint64_t;

  void on_request_impl(boost::beast::http::verb /*verb*/, Text method, Text target, int version,
                       ErrorCode& /*error*/) override {
    request.head.method = method;
    request.head.target = origin_form(target);
    minor_version = version % 10;
  }
  void on_response_impl(int /*status*/, Text /*reason*/, int /*version*/, ErrorCode& /*error*/) override {}
  void on_field_impl(Field field, Text name, Text value, ErrorCode& /*error*/) override {
    if (field == Field::connection) {
      boost::beast::http::token_list options(value);
      closes_ = closes_ || options.exists("close");
      keeps_alive_ = keeps_alive_ || options.exists("keep-alive");
    }
    if (field == Field::expect) expects_continue = minor_version == 1;
    request.head.headers.push_back({name, value});
  }
  void on_header_impl(ErrorCode& /*error*/) override { body_limit(kBodyBytesMax); }
  void on_body_init_impl(const boost::optional<Size>& /*length*/, ErrorCode& /*error*/) override {}
  std::size_t on_body_impl(Text data, ErrorCode& /*error*/) override {
    if (!discards_body) request.body += data;
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
  /// would add its fields to the head.
  std::string_view last_chunk() const {
    constexpr std::string_view kLastChunk = "\r\n0\r\n\r\n";
    return kLastChunk.substr(before_chunk_ == BeforeChunk::data ? 0 : 2);
  }

  bool closes_ = false;
  bool keeps_alive_ = false;
  Size chunk_left_ = 0;
  BeforeChunk before_chunk_ = BeforeChunk::nothing;
  std::size_t extension_bytes_ = 0;
};

}  // namespace tonearm::native
