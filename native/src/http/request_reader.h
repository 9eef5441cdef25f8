#pragma once
// Reads the requests of one connection, phase by phase. Runs on the connection's thread.

#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <string_view>
#include <type_traits>

#include "http/coroutine.h"
#include "http/pending_request.h"
#include "http/session_lifecycle.h"
#include "http/strict_head.h"
#include "http/tls_stream.h"

namespace tonearm::native {

template <class Stream>
class RequestReader {
 public:
  static constexpr std::size_t kReadBytes = 8 * 1024;

  /// Both outlive the object.
  RequestReader(Stream& stream, SessionLifecycle& lifecycle) : stream_(stream), lifecycle_(lifecycle) {}

  /// The bytes that were read and not consumed.
  std::string_view unread() const { return {static_cast<const char*>(buffer_.data().data()), buffer_.data().size()}; }
  void consume(std::size_t bytes) { buffer_.consume(bytes); }

  /// Returns whether TLS or the kernel has input that was not read. A request that arrived before the server began to
  /// stop is answered.
  bool has_buffered_input() {
    if constexpr (std::is_same_v<Stream, TlsStream>) {
      if (stream_.has_unread()) return true;
    }
    boost::beast::error_code error;
    return boost::beast::get_lowest_layer(stream_).available(error) > 0 && !error;
  }

  /// Waits for the first bytes of a request. Returns false if there are none. REQUIRES: unread() is empty.
  awaitable<bool> wait_for_request() {
    if (lifecycle_.closes_when_idle() && !has_buffered_input()) co_return false;
    if (buffer_.capacity() > kFirstReadBytes) buffer_.shrink_to_fit();
    lifecycle_.begin(Phase::idle);
    auto input = co_await read(kFirstReadBytes);
    while (input == Input::end && lifecycle_.closes_when_idle() && has_buffered_input()) {
      input = co_await read(kFirstReadBytes);
    }
    if (buffer_.size() >= kFirstReadBytes) read_available();
    if (input != Input::data) lifecycle_.skip_linger();
    if (input == Input::data) lifecycle_.expect_linger();
    co_return input == Input::data;
  }

  /// Reads until `head` is complete or rejected, which `state` then says. Returns `data` in these cases.
  awaitable<Input> read_head(StrictHead& head, StrictHead::State& state) {
    state = head.scan(unread());
    if (state != StrictHead::State::more) co_return Input::data;
    lifecycle_.begin(Phase::head);
    while (state == StrictHead::State::more) {
      const auto input = co_await read_rest_of_phase(std::clamp(buffer_.size(), kFirstReadBytes, kReadBytes));
      if (input != Input::data) co_return input;
      state = head.scan(unread());
    }
    co_return Input::data;
  }

  /// Reads the body into the parser. `phase`: `body` or `drain`.
  awaitable<BodyState> read_body(BodyParser& parser, Phase phase) {
    if (parser.announces_too_much()) co_return BodyState::too_long;
    if (parser.framing().expects_continue && unread().empty()) {
      lifecycle_.begin(Phase::answer);
      const auto [error, count] =
          co_await boost::asio::async_write(stream_, boost::asio::buffer("HTTP/1.1 100 Continue\r\n\r\n", 25), kTuple);
      if (error) co_return BodyState::ended;
    }
    auto state = parse_body(parser);
    if (state != BodyState::more) co_return state;
    lifecycle_.begin(phase);
    while (state == BodyState::more) {
      const auto input = co_await read_rest_of_phase(kReadBytes);
      if (input == Input::data) {
        state = parse_body(parser);
      } else {
        state = input == Input::timeout ? BodyState::timed_out : BodyState::ended;
      }
    }
    co_return state;
  }

  /// Reads and discards up to `bytes` below TLS, until the client closes.
  awaitable<void> discard(std::size_t bytes) {
    auto& socket = boost::beast::get_lowest_layer(stream_);
    for (std::size_t discarded = 0; discarded < bytes; discarded += kReadBytes) {
      buffer_.clear();
      const auto [error, count] = co_await socket.async_read_some(buffer_.prepare(kReadBytes), kTuple);
      if (error) break;
    }
  }

 private:
  // A connection that has sent nothing costs only what a usual head needs.
  static constexpr std::size_t kFirstReadBytes = 512;
  static constexpr std::size_t kUnreadBytesMax = kHeadBytesMax + 2 * kReadBytes;

  awaitable<Input> read(std::size_t bytes) {
    if (lifecycle_.has_timed_out()) co_return Input::timeout;
    const auto [error, count] = co_await stream_.async_read_some(buffer_.prepare(bytes), kTuple);
    buffer_.commit(count);
    if (error) co_return lifecycle_.has_timed_out() ? Input::timeout : Input::end;
    co_return Input::data;
  }

  /// Reads more input for the current phase.
  awaitable<Input> read_rest_of_phase(std::size_t bytes) {
    const auto input = lifecycle_.is_interrupted() ? Input::end : co_await read(bytes);
    if (input == Input::data) lifecycle_.on_input();
    if (input != Input::data && lifecycle_.is_interrupted()) lifecycle_.skip_linger();
    co_return input;
  }

  /// Reads what has arrived without waiting, so that pipelined requests are answered together.
  void read_available() {
    boost::beast::error_code error;
    while (buffer_.size() < kReadBytes && !error) {
      buffer_.commit(stream_.read_some(buffer_.prepare(kReadBytes - buffer_.size()), error));
    }
  }

  BodyState parse_body(BodyParser& parser) {
    std::size_t consumed = 0;
    const auto state = parser.put_body(unread(), consumed);
    buffer_.consume(consumed);
    return state;
  }

  Stream& stream_;
  SessionLifecycle& lifecycle_;
  boost::beast::flat_buffer buffer_{kUnreadBytesMax};
};

}  // namespace tonearm::native
