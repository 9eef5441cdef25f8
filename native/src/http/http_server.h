#pragma once
// Listens on one address and serves its connections. Methods may be called from any thread.

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "http/client_address.h"
#include "http/handler.h"
#include "http/http_limits.h"
#include "http/io_threads.h"
#include "monitoring/log.h"
#include "monitoring/metrics.h"
#include "system/worker_pool.h"
#include "tonearm/ports.h"

namespace tonearm::native {

struct Endpoint {
  std::string address;  // of IPv4 or IPv6, without brackets
  std::uint16_t port = 0;
};

/// PEM files; both empty: plain HTTP.
struct TlsFiles {
  std::string certificate;
  std::string key;
};

class Listener;

class HttpServer {
 public:
  /// All of it outlives the server.
  struct Dependencies {
    IoThreads& threads;
    Handler& handler;
    WorkerPool& pool;
    Clock& clock;
    Random& random;
    Log& log;
    Metrics& metrics;
  };
  struct Options {
    Endpoint endpoint;
    TlsFiles tls;
    HttpLimits limits;
    Compression compression = Compression::allowed;
    /// Their connections are bounded by the whole table alone, their requests by the client that they name.
    AddressBlocks trusted_proxies{};
  };

  /// Listens at once. Throws std::runtime_error, with the address or file, where that cannot be.
  HttpServer(const Dependencies& dependencies, const Options& options);
  /// REQUIRES: the threads have ended.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// "http://127.0.0.1:8080", with the port that it really has.
  std::string url() const;
  std::uint16_t port() const;

  /// Reads certificate and key again, for connections that come from now on (HOST-23). False: they cannot be used; the
  /// log says why, and the old ones stay.
  bool reload_tls();

  /// Takes no further connection and no further request; requests under way go on.
  void stop();
  /// Waits until no connection is left. False: some were when `time` was over.
  bool wait_for_end(std::chrono::milliseconds time);

 private:
  std::shared_ptr<Listener> listener_;
};

}  // namespace tonearm::native
