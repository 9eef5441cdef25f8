#include "http_server.h"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "connection.h"

namespace tonearm::native {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr std::chrono::milliseconds kAcceptRetry{100};

std::string text_of(const tcp::endpoint& endpoint) {
  const auto address = endpoint.address().to_string();
  const auto host = endpoint.address().is_v6() ? '[' + address + ']' : address;
  return host + ':' + std::to_string(endpoint.port());
}

tcp::acceptor listen_on(asio::io_context& io, const Endpoint& wanted) {
  try {
    const tcp::endpoint endpoint(asio::ip::make_address(wanted.address), wanted.port);
    tcp::acceptor acceptor(asio::make_strand(io));
    acceptor.open(endpoint.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    acceptor.bind(endpoint);
    acceptor.listen(asio::socket_base::max_listen_connections);
    return acceptor;
  } catch (const boost::system::system_error& fault) {
    throw std::runtime_error("cannot listen on " + wanted.address + ':' + std::to_string(wanted.port) + ": " +
                             fault.code().message());
  }
}

std::unique_ptr<asio::ssl::context> tls_context(const TlsFiles& files) {
  if (files.certificate.empty()) return nullptr;
  auto context = std::make_unique<asio::ssl::context>(asio::ssl::context::tls_server);
  using asio::ssl::context_base;
  context->set_options(context_base::default_workarounds | context_base::no_sslv2 | context_base::no_sslv3 |
                       context_base::no_tlsv1 | context_base::no_tlsv1_1 | context_base::single_dh_use);
  boost::system::error_code error;
  context->use_certificate_chain_file(files.certificate, error);
  if (error) throw std::runtime_error("cannot use the certificate " + files.certificate + ": " + error.message());
  context->use_private_key_file(files.key, context_base::pem, error);
  if (error) throw std::runtime_error("cannot use the private key " + files.key + ": " + error.message());
  return context;
}

}  // namespace

class HttpServer::Listener : public std::enable_shared_from_this<HttpServer::Listener> {
 public:
  Listener(const Parts& parts, const Options& options)
      : io_(parts.io),
        tls_(tls_context(options.tls)),
        acceptor_(listen_on(parts.io, options.endpoint)),
        endpoint_(acceptor_.local_endpoint()),
        retry_(acceptor_.get_executor()),
        parts_{parts.handler, parts.pool,    parts.clock,    parts.random,
               parts.log,     parts.metrics, options.limits, options.compression} {}

  void start() {
    asio::post(acceptor_.get_executor(), [self = shared_from_this()] { self->accept(); });
  }

  std::string url() const { return (tls_ ? "https://" : "http://") + text_of(endpoint_); }
  std::uint16_t port() const { return endpoint_.port(); }

  void stop() {
    parts_.stopping = true;
    asio::post(acceptor_.get_executor(), [self = shared_from_this()] {
      boost::system::error_code ignored;
      self->acceptor_.close(ignored);
      self->retry_.cancel();
    });
    for (const auto& connection : open_connections()) connection->stop_soon();
  }

  bool wait_for_end(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return none_left_.wait_for(lock, time, [this] { return connections_.empty(); });
  }

 private:
  std::vector<std::shared_ptr<Connection>> open_connections() {
    std::vector<std::shared_ptr<Connection>> open;
    const std::lock_guard lock(mutex_);
    for (const auto& [number, weak] : connections_) {
      if (auto connection = weak.lock()) open.push_back(std::move(connection));
    }
    return open;
  }

  void accept() {
    acceptor_.async_accept(asio::make_strand(io_),
                           [self = shared_from_this()](const boost::system::error_code& error, auto socket) {
                             self->on_accept(error, tcp::socket(std::move(socket)));
                           });
  }

  void on_accept(const boost::system::error_code& error, tcp::socket socket) {
    if (!acceptor_.is_open()) return;
    if (error) {
      if (error == asio::error::no_descriptors) parts_.log.warning("no descriptor is left for a connection");
      retry_.expires_after(kAcceptRetry);
      retry_.async_wait([self = shared_from_this()](const boost::system::error_code& stopped) {
        if (!stopped && self->acceptor_.is_open()) self->accept();
      });
      return;
    }
    open(std::move(socket));
    accept();
  }

  void open(tcp::socket socket) {
    boost::system::error_code ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    std::unique_lock lock(mutex_);
    const auto& limits = parts_.limits;
    const bool serve = connections_.size() < limits.connections_max;
    if (!serve) parts_.metrics.count_overflow();
    if (connections_.size() >= limits.connections_max + limits.refusals_max) return;  // closed by its destructor
    const auto number = ++last_number_;
    const auto entry = connections_.try_emplace(number).first;
    const auto welcome = serve ? Welcome::serve : Welcome::refuse;
    const auto connection = make_connection(std::move(socket), tls_.get(), parts_, welcome,
                                            [self = shared_from_this(), number] { self->forget(number); });
    entry->second = connection;
    ++parts_.metrics.connections;
    lock.unlock();
    connection->start();
    if (parts_.stopping) connection->stop_soon();
  }

  void forget(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    connections_.erase(number);
    --parts_.metrics.connections;
    if (connections_.empty()) none_left_.notify_all();
  }

  asio::io_context& io_;
  std::unique_ptr<asio::ssl::context> tls_;
  tcp::acceptor acceptor_;
  tcp::endpoint endpoint_;
  asio::steady_timer retry_;
  ConnectionParts parts_;
  std::mutex mutex_;
  std::condition_variable none_left_;
  std::uint64_t last_number_ = 0;
  std::map<std::uint64_t, std::weak_ptr<Connection>> connections_;
};

HttpServer::HttpServer(const Parts& parts, const Options& options)
    : listener_(std::make_shared<Listener>(parts, options)) {
  listener_->start();
}

HttpServer::~HttpServer() = default;

std::string HttpServer::url() const { return listener_->url(); }
std::uint16_t HttpServer::port() const { return listener_->port(); }
void HttpServer::stop() { listener_->stop(); }
bool HttpServer::wait_for_end(std::chrono::milliseconds time) { return listener_->wait_for_end(time); }

}  // namespace tonearm::native
