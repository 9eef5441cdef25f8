#include "http/tls_stream.h"

#include <openssl/err.h>

#include <algorithm>
#include <boost/asio/ssl/error.hpp>
#include <cerrno>
#include <climits>
#include <new>

namespace tonearm::native {
namespace {

namespace asio = boost::asio;
using boost::beast::error_code;

/// Returns why a call failed that does not wait.
error_code error_of(int reason, int system_error) {
  if (reason == SSL_ERROR_ZERO_RETURN) return asio::error::eof;
  if (const auto code = ERR_get_error(); code != 0) {
    return {static_cast<int>(code), asio::error::get_ssl_category()};
  }
  return system_error == 0 ? error_code(asio::ssl::error::stream_truncated)
                           : error_code(system_error, boost::system::system_category());
}

int length_of(std::size_t bytes) { return static_cast<int>(std::min<std::size_t>(bytes, INT_MAX)); }

}  // namespace

TlsStream::TlsStream(next_layer_type stream, asio::ssl::context& context)
    : stream_(std::move(stream)), tls_(SSL_new(context.native_handle())) {
  if (tls_ == nullptr) throw std::bad_alloc();
  error_code closed;
  stream_.native_non_blocking(true, closed);
  if (!closed && SSL_set_fd(tls_.get(), stream_.native_handle()) != 1) throw std::bad_alloc();
  SSL_set_mode(tls_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
}

template <class Call>
TlsStream::Outcome TlsStream::outcome_of(SSL& tls, Call call) {
  ERR_clear_error();
  errno = 0;
  const int status = call();
  const int system_error = errno;
  if (status > 0) return {Wait::none, {}, static_cast<std::size_t>(status)};
  const int reason = SSL_get_error(&tls, status);
  if (reason == SSL_ERROR_WANT_READ) return {Wait::for_input, {}, 0};
  if (reason == SSL_ERROR_WANT_WRITE) return {Wait::for_output, {}, 0};
  return {Wait::none, error_of(reason, system_error), 0};
}

TlsStream::Outcome TlsStream::accept(SSL& tls) {
  return outcome_of(tls, [&tls] { return SSL_accept(&tls); });
}

TlsStream::Outcome TlsStream::shut_down(SSL& tls) {
  return outcome_of(tls, [&tls] {
    const int status = SSL_shutdown(&tls);
    return status == 0 ? 1 : status;  // 0: the client's alert has not arrived
  });
}

TlsStream::Outcome TlsStream::read(SSL& tls, asio::mutable_buffer into) {
  if (into.size() == 0) return {};
  return outcome_of(tls, [&] { return SSL_read(&tls, into.data(), length_of(into.size())); });
}

TlsStream::Outcome TlsStream::write(SSL& tls, asio::const_buffer from) {
  if (from.size() == 0) return {};
  return outcome_of(tls, [&] { return SSL_write(&tls, from.data(), length_of(from.size())); });
}

}  // namespace tonearm::native
