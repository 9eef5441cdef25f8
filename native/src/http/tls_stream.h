#pragma once
// TLS over a socket, for sessions: one operation at a time, and no buffers at rest.

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
/// socket itself, so that a connection at rest keeps no buffers, where asio::ssl::stream keeps four of 17 KiB each
/// (docs/adr/0081-tls-on-the-socket.md).
///
/// One operation at a time, on the executor of the socket. The process ignores SIGPIPE.
class TlsStream {
 public:
  using next_layer_type = IoSocket;
  using executor_type = next_layer_type::executor_type;

  /// On a socket that was closed meanwhile every operation fails. Throws std::bad_alloc.
  TlsStream(next_layer_type stream, boost::asio::ssl::context& context);

  executor_type get_executor() { return stream_.get_executor(); }
  next_layer_type& next_layer() { return stream_; }

  /// Completes with an error and 0.
  template <class Token>
  auto async_handshake(Token&& token) {
    return run([](SSL& tls) { return accept(tls); }, std::forward<Token>(token));
  }

  /// Says that nothing more comes; what the client still sends is not read. Completes with an error and 0.
  template <class Token>
  auto async_shutdown(Token&& token) {
    return run([](SSL& tls) { return shut_down(tls); }, std::forward<Token>(token));
  }

  /// Whether bytes came with others that were read, and were not read themselves.
  bool has_unread() const { return SSL_pending(tls_.get()) > 0; }

  /// Completes with an error and the number of bytes.
  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return run([buffers](SSL& tls) { return read(tls, first_of(buffers)); }, std::forward<Token>(token));
  }

  /// Completes with an error and the number of bytes. Small buffers leave in one record.
  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return run([buffers](SSL& tls) { return write_together(tls, buffers); }, std::forward<Token>(token));
  }

  /// Without waiting: `would_block` where the socket has no room, or nothing to read. Then the same bytes are to be
  /// offered again.
  template <class Buffers>
  std::size_t write_some(const Buffers& buffers, boost::beast::error_code& error) {
    return at_once([&buffers](SSL& tls) { return write_together(tls, buffers); }, error);
  }
  std::size_t read_some(boost::asio::mutable_buffer into, boost::beast::error_code& error) {
    return at_once([into](SSL& tls) { return read(tls, into); }, error);
  }

 private:
  static constexpr std::size_t kTogetherBytesMax = 4'096;

  enum class Wait { none, for_input, for_room };

  /// What one try came to: it waits for the socket, or it is over.
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
  static Outcome write_together(SSL& tls, const Buffers& buffers) {
    std::byte together[kTogetherBytesMax];
    const auto first = first_of(buffers);
    if (first.size() >= kTogetherBytesMax || first.size() == boost::asio::buffer_size(buffers)) {
      return write(tls, first);
    }
    const auto count = boost::asio::buffer_copy(boost::asio::buffer(together), buffers);
    return write(tls, boost::asio::const_buffer(together, count));
  }

  template <class Try>
  std::size_t at_once(Try attempt, boost::beast::error_code& error) {
    // Once the socket is closed, its number may be another file's.
    const auto outcome =
        stream_.is_open() ? attempt(*tls_) : Outcome{Wait::none, boost::asio::error::bad_descriptor, 0};
    error = outcome.wait == Wait::none ? outcome.error : boost::asio::error::would_block;
    return outcome.count;
  }

  /// The first buffer that holds anything.
  template <class Buffers>
  static auto first_of(const Buffers& buffers) {
    auto at = boost::asio::buffer_sequence_begin(buffers);
    const auto end = boost::asio::buffer_sequence_end(buffers);
    std::decay_t<decltype(*at)> first;
    for (; first.size() == 0 && at != end; ++at) first = *at;
    return first;
  }

  /// Tries until nothing is left to wait for.
  template <class Try, class Token>
  auto run(Try attempt, Token&& token) {
    using boost::beast::error_code;
    const auto step = [this, attempt = std::move(attempt), outcome = Outcome(), is_first = true](
                          auto& self, const error_code& failed = {}) mutable {
      if (failed) return self.complete(failed, 0);
      if (!is_first && outcome.wait == Wait::none) return self.complete(outcome.error, outcome.count);
      // Once the socket is closed, its number may be another file's.
      outcome = stream_.is_open() ? attempt(*tls_) : Outcome{Wait::none, boost::asio::error::bad_descriptor, 0};
      auto& socket = stream_;
      if (outcome.wait == Wait::for_input) {
        is_first = false;
        return socket.async_wait(boost::asio::socket_base::wait_read, std::move(self));
      }
      if (outcome.wait == Wait::for_room) {
        is_first = false;
        return socket.async_wait(boost::asio::socket_base::wait_write, std::move(self));
      }
      if (!is_first) return self.complete(outcome.error, outcome.count);
      is_first = false;
      boost::asio::post(stream_.get_executor(), std::move(self));  // never completes within its start
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
