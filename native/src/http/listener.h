#pragma once
// Accepts the connections of one address and sweeps their deadlines. Safe for concurrent calls.

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <mutex>

#include "http/connection_table.h"
#include "http/exchange.h"
#include "http/http_server.h"
#include "monitoring/log_throttle.h"

namespace tonearm::native {

class Listener : public std::enable_shared_from_this<Listener> {
 public:
  /// Listens at once. Throws std::runtime_error, with the address or file.
  Listener(const HttpServer::Dependencies& dependencies, const HttpServer::Options& options);

  void start();
  /// These are as in HttpServer.
  bool reload_tls();
  void stop();
  bool wait_until_closed(std::chrono::milliseconds time) { return connections_.wait_until_empty(time); }
  std::string url() const;
  std::uint16_t port() const { return endpoint_.port(); }

 private:
  using ErrorCode = boost::system::error_code;

  void accept();
  void accept_pending();
  void back_off(const ErrorCode& error);
  void accept_after(std::chrono::milliseconds pause);
  void open(IoThread& thread, IoSocket socket);
  void sweep();
  std::shared_ptr<boost::asio::ssl::context> tls() const;

  IoThreads& threads_;
  const TlsFiles tls_files_;
  mutable std::mutex tls_mutex_;
  std::shared_ptr<boost::asio::ssl::context> tls_;  // null: plain HTTP
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::ip::tcp::endpoint endpoint_;
  boost::asio::ip::tcp::endpoint peer_;  // of the connection accepted last
  boost::asio::steady_timer retry_;
  boost::asio::steady_timer sweep_;
  std::chrono::milliseconds backoff_{0};  // before the next attempt to accept; 0: the last one succeeded
  LogThrottle failures_;
  SessionContext context_;
  ConnectionTable connections_;
};

}  // namespace tonearm::native
