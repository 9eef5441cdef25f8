#pragma once
// TLS over a socket for sessions: one operation at a time, and no buffers while the connection is idle.

#include <openssl/ssl.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/compose.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/beast/core/error.hpp>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "http/io_threads.h"

namespace tonearm::native {

/// The server's side of TLS on a socket, as an AsyncReadStream and AsyncWriteStream. OpenSSL reads and writes the
/// socket itself, so that an idle connection has no buffers; asio::ssl::stream has four of 17 KiB each
/// (docs/adr/0081-tls-on-the-socket.md).
///
/// One operation at a time, on the executor of the socket. The process ignores SIGPIPE.
class TlsStream {
 public:
  using next_layer_type = IoSocket;
  using executor_type = next_layer_type::executor_type;

  /// If the socket was closed, every operation fails. Throws std::bad_alloc.
  TlsStream(next_layer_type stream, boost::asio::ssl::context& context);

  executor_type get_executor() { return stream_.get_executor(); }
  next_layer_type& next_layer() { return stream_; }

  /// Completes with an error and 0.
  template <class Token>
  auto async_handshake(Token&& token) {
    return run([](SSL& tls) { return accept(tls); }, std::forward<Token>(token));
  }

  /// Sends the close alert and does not wait for the client's. Completes with an error and 0.
  template <class Token>
  auto async_shutdown(Token&& token) {
    return run([](SSL& tls) { return shut_down(tls); }, std::forward<Token>(token));
  }

  /// Returns whether decrypted bytes are waiting to be read.
  bool has_unread() const { return SSL_pending(tls_.get()) > 0; }

  /// Completes with an error and the number of bytes.
  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return run([buffers](SSL& tls) { return read(tls, first_of(buffers)); }, std::forward<Token>(token));
  }

  /// Completes with an error and the number of bytes. Small buffers share one record.
  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return run([buffers](SSL& tls) { return write_combined(tls, buffers); }, std::forward<Token>(token));
  }

  /// Do not wait: the error is `would_block` if the socket cannot send, or has nothing to read. The caller must then
  /// retry with the same bytes.
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers, boost::beast::error_code& error) {
    return run_now([&buffers](SSL& tls) { return write_combined(tls, buffers); }, error);
  }
  std::size_t read_some(boost::asio::mutable_buffer into, boost::beast::error_code& error) {
    return run_now([into](SSL& tls) { return read(tls, into); }, error);
  }

 private:
  static constexpr std::size_t kCombinedBytesMax = 4'096;

  enum class Wait { none, for_input, for_output };

  /// The result of one attempt: it waits for the socket, or it is complete.
  struct Outcome {
    Wait wait = Wait::none;
    boost::beast::error_code error;
    std::size_t count = 0;
  };

  template <class Call>
  static Outcome outcome_of(SSL& tls, Call call);
  static Outcome accept(SSL& tls);
  static Outcome shut_down(SSL& tls);
  static Outcome read(SSL& tls, boost::asio::mutable_buffer into);
  static Outcome write(SSL& tls, boost::asio::const_buffer from);

  template <class Buffers>
  static Outcome write_combined(SSL& tls, const Buffers& buffers) {
    std::byte combined[kCombinedBytesMax];
    const auto first = first_of(buffers);
    if (first.size() >= kCombinedBytesMax || first.size() == boost::asio::buffer_size(buffers)) {
      return write(tls, first);
    }
    const auto count = boost::asio::buffer_copy(boost::asio::buffer(combined), buffers);
    return write(tls, boost::asio::const_buffer(combined, count));
  }

  template <class Try>
  std::size_t run_now(Try attempt, boost::beast::error_code& error) {
    // After the socket is closed, its descriptor may belong to another file.
    const auto outcome =
        stream_.is_open() ? attempt(*tls_) : Outcome{Wait::none, boost::asio::error::bad_descriptor, 0};
    error = outcome.wait == Wait::none ? outcome.error : boost::asio::error::would_block;
    return outcome.count;
  }

  /// Returns the first buffer that is not empty.
  template <class Buffers>
  static auto first_of(const Buffers& buffers) {
    auto at = boost::asio::buffer_sequence_begin(buffers);
    const auto end = boost::asio::buffer_sequence_end(buffers);
    std::decay_t<decltype(*at)> first;
    for (; first.size() == 0 && at != end; ++at) first = *at;
    return first;
  }

  /// Repeats `attempt` until it does not wait for the socket.
  template <class Try, class Token>
  auto run(Try attempt, Token&& token) {
    using boost::beast::error_code;
    const auto step = [this, attempt = std::move(attempt), outcome = Outcome(), is_first = true](
                          auto& self, const error_code& failed = {}) mutable {
      if (failed) return self.complete(failed, 0);
      if (!is_first && outcome.wait == Wait::none) return self.complete(outcome.error, outcome.count);
      // After the socket is closed, its descriptor may belong to another file.
      outcome = stream_.is_open() ? attempt(*tls_) : Outcome{Wait::none, boost::asio::error::bad_descriptor, 0};
      auto& socket = stream_;
      if (outcome.wait == Wait::for_input) {
        is_first = false;
        return socket.async_wait(boost::asio::socket_base::wait_read, std::move(self));
      }
      if (outcome.wait == Wait::for_output) {
        is_first = false;
        return socket.async_wait(boost::asio::socket_base::wait_write, std::move(self));
      }
      if (!is_first) return self.complete(outcome.error, outcome.count);
      is_first = false;
      boost::asio::post(stream_.get_executor(),
                        std::move(self));  // a composed operation must not complete within its initiation
    };
    return boost::asio::async_compose<Token, void(error_code, std::size_t)>(step, token, stream_);
  }

  struct Free {
    void operator()(SSL* tls) const { SSL_free(tls); }
  };

  next_layer_type stream_;
  std::unique_ptr<SSL, Free> tls_;
};

}  // namespace tonearm::native
