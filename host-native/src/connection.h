#pragma once
// One connection of a client: reads requests one after the other, has them answered by a handler, writes the
// answers in order. All of a connection runs on one strand; what the handler does runs on the worker pool.

#include <atomic>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <functional>
#include <memory>

#include "handler.h"
#include "http_limits.h"
#include "log.h"
#include "metrics.h"
#include "tonearm/ports.h"
#include "worker_pool.h"

namespace tonearm::native {

/// What the connections of one address share. Outlives them.
struct ConnectionParts {
  Handler& handler;
  WorkerPool& pool;
  Clock& clock;
  Random& random;
  Log& log;
  Metrics& metrics;
  HttpLimits limits;
  Compression compression = Compression::allowed;
  /// Set for good when the server stops: no request is taken then but those under way.
  std::atomic<bool> stopping{false};
};

class Connection {
 public:
  virtual ~Connection() = default;
  virtual void start() = 0;
  /// Closes the connection as soon as no request is under way. From any thread.
  virtual void stop_soon() = 0;
};

/// Whether a connection is served, or told that there are too many.
enum class Welcome : std::uint8_t { serve, refuse };

/// The socket's executor is a strand of its own. `tls`: null for plain HTTP. The connection keeps itself alive
/// while it has something to do, and calls `on_end` once, when it has not.
std::shared_ptr<Connection> make_connection(boost::asio::ip::tcp::socket socket, boost::asio::ssl::context* tls,
                                            ConnectionParts& parts, Welcome welcome, std::function<void()> on_end);

}  // namespace tonearm::native
