#include "http/listener.h"

#include <netinet/tcp.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <stdexcept>
#include <utility>

#include "http/session.h"
#include "http/tls_context.h"

namespace tonearm::native {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr std::chrono::milliseconds kBackoffMin{10};
constexpr std::chrono::milliseconds kBackoffMax{1'000};
/// How many connections are evicted when no descriptor is left: for new connections and for files of the state.
constexpr std::size_t kEvictedWithoutDescriptors = 16;
/// How many connections are accepted before other work of the accepting thread runs.
constexpr std::size_t kAcceptBatch = 64;
/// How much unsent output the kernel buffers for a connection. It bounds the memory of a client that reads nothing, and
/// keeps what a session has written close to what its client has read.
constexpr int kUnsentBytesMax = 128 * 1024;

std::string text_of(const tcp::endpoint& endpoint) {
  const auto address = endpoint.address().to_string();
  const auto host = endpoint.address().is_v6() ? '[' + address + ']' : address;
  return host + ':' + std::to_string(endpoint.port());
}

/// On Linux an accepted socket inherits the options of the listening one.
void set_connection_options(tcp::acceptor& acceptor, const HttpLimits& limits) {
  using UnsentMax = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_NOTSENT_LOWAT>;
  using UserTimeout = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_USER_TIMEOUT>;
  acceptor.set_option(tcp::no_delay(true));
  acceptor.set_option(UnsentMax(kUnsentBytesMax));
  // HOST-22: sessions check that their clients read; this limits what outlives a session. Linux counts from the first
  // segment that the window did not fit, so a slow client needs longer.
  acceptor.set_option(UserTimeout(static_cast<int>(3 * limits.phase_timeout.count())));
}

tcp::acceptor listen_on(asio::io_context& io, const Endpoint& wanted, const HttpLimits& limits) {
  try {
    const tcp::endpoint endpoint(asio::ip::make_address(wanted.address), wanted.port);
    tcp::acceptor acceptor(io);
    acceptor.open(endpoint.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    set_connection_options(acceptor, limits);
    acceptor.bind(endpoint);
    acceptor.listen(asio::socket_base::max_listen_connections);
    acceptor.non_blocking(true);
    return acceptor;
  } catch (const boost::system::system_error& failure) {
    throw std::runtime_error("cannot listen on " + wanted.address + ':' + std::to_string(wanted.port) + ": " +
                             failure.code().message());
  }
}

}  // namespace

Listener::Listener(const HttpServer::Dependencies& dependencies, const HttpServer::Options& options)
    : threads_(dependencies.threads),
      tls_files_(options.tls),
      tls_(make_tls_context(options.tls)),
      acceptor_(listen_on(threads_.first().context, options.endpoint, options.limits)),
      endpoint_(acceptor_.local_endpoint()),
      retry_(acceptor_.get_executor()),
      sweep_(acceptor_.get_executor()),
      context_{dependencies.handler,   dependencies.pool,    dependencies.clock, RequestIds{dependencies.random},
               dependencies.log,       dependencies.metrics, options.limits,     options.compression,
               options.trusted_proxies},
      connections_(context_.limits) {}

void Listener::start() {
  asio::post(acceptor_.get_executor(), [self = shared_from_this()] {
    self->accept();
    self->sweep();
  });
}

std::string Listener::url() const {
  return (tls_files_.certificate.empty() ? "http://" : "https://") + text_of(endpoint_);
}

std::shared_ptr<asio::ssl::context> Listener::tls() const {
  const std::lock_guard lock(tls_mutex_);
  return tls_;
}

bool Listener::reload_tls() {
  try {
    auto fresh = make_tls_context(tls_files_);
    const std::lock_guard lock(tls_mutex_);
    tls_.swap(fresh);
    return true;
  } catch (const std::exception& failure) {
    context_.log.error(std::string(failure.what()) + "; the old certificate stays");
    return false;
  }
}

void Listener::stop() {
  context_.stopping = true;
  asio::post(acceptor_.get_executor(), [self = shared_from_this()] {
    ErrorCode ignored;
    self->acceptor_.close(ignored);
    self->retry_.cancel();
  });
  for (const auto& session : connections_.all()) session->close_when_idle();
}

/// HOST-22: one timer checks the deadlines of all connections, so that none needs its own.
void Listener::sweep() {
  if (context_.stopping && !acceptor_.is_open() && connections_.is_empty()) return;
  sweep_.expires_after(context_.limits.sweep_interval);
  sweep_.async_wait([self = shared_from_this()](const ErrorCode& error) {
    if (!error) self->sweep();
  });
  for (const auto& session : connections_.overdue(Steady::now())) session->check_deadline();
}

void Listener::accept() {
  acceptor_.async_wait(asio::socket_base::wait_read, [self = shared_from_this()](const ErrorCode& error) {
    if (!error && self->acceptor_.is_open()) self->accept_pending();
  });
}

/// Assigns each connection to the thread with the fewest (docs/adr/0117-a-connection-stays-on-its-thread.md).
void Listener::accept_pending() {
  for (std::size_t i = 0; i < kAcceptBatch; ++i) {
    // New connections wait in the kernel until evicted ones are closed.
    if (!connections_.has_slot()) return accept_after(kBackoffMin);
    auto& thread = threads_.least_used();
    ErrorCode error;
    auto socket = acceptor_.accept(thread.context, peer_, error);
    if (error == asio::error::would_block) break;
    if (error && error != asio::error::connection_aborted) return back_off(error);
    if (error) continue;
    backoff_ = {};
    try {
      open(thread, std::move(socket));
    } catch (const std::exception& failure) {
      context_.log.error(std::string("cannot serve a connection: ") + failure.what());
    }
  }
  accept();
}

/// HOST-21: if nothing can be accepted, evicts idle connections and retries after a pause that doubles each time.
void Listener::back_off(const ErrorCode& error) {
  const auto now = Steady::now();
  const auto now_ms = std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  if (const auto more = failures_.try_log(now_ms)) {
    context_.log.error("cannot accept connections: " + error.message() + *more);
  }
  backoff_ = std::clamp(2 * backoff_, kBackoffMin, kBackoffMax);
  connections_.evict(kEvictedWithoutDescriptors, now);
  accept_after(backoff_);
}

void Listener::accept_after(std::chrono::milliseconds pause) {
  retry_.expires_after(pause);
  retry_.async_wait([self = shared_from_this()](const ErrorCode& stopped) {
    if (!stopped && self->acceptor_.is_open()) self->accept();
  });
}

void Listener::open(IoThread& thread, IoSocket socket) {
  const bool from_proxy = contains(context_.trusted_proxies, peer_.address());
  const auto client = from_proxy ? std::nullopt : std::optional(client_key(peer_.address()));
  auto* const connection = connections_.open(client, Steady::now());
  if (connection == nullptr || connection->policy() == AcceptPolicy::refuse)
    context_.metrics.count_refused_connection();
  if (connection == nullptr) return;  // closed by its destructor
  ++context_.metrics.connections;
  ++thread.connections;
  const auto on_end = [self = shared_from_this(), connection, &thread] {
    --thread.connections;
    --self->context_.metrics.connections;
    self->connections_.close(*connection);
  };
  std::shared_ptr<Session> session;
  try {
    session =
        make_session(std::move(socket), tls(),
                     {context_, connections_, thread, *connection, peer_.address().to_string(), from_proxy, on_end});
  } catch (...) {
    on_end();
    throw;
  }
  connections_.attach(*connection, session);
  session->start();
  if (context_.stopping) session->close_when_idle();
}

HttpServer::HttpServer(const Dependencies& dependencies, const Options& options)
    : listener_(std::make_shared<Listener>(dependencies, options)) {
  listener_->start();
}

HttpServer::~HttpServer() = default;

std::string HttpServer::url() const { return listener_->url(); }
std::uint16_t HttpServer::port() const { return listener_->port(); }
bool HttpServer::reload_tls() { return listener_->reload_tls(); }
void HttpServer::stop() { listener_->stop(); }
bool HttpServer::wait_until_closed(std::chrono::milliseconds time) { return listener_->wait_until_closed(time); }

}  // namespace tonearm::native
