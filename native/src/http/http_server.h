#pragma once
// Listens on one address and serves its connections. Safe for concurrent calls.

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
    /// Only the total limit applies to their connections; their requests count for the client that they name.
    AddressBlocks trusted_proxies{};
  };

  /// Listens at once. Throws std::runtime_error, with the address or file, if that fails.
  HttpServer(const Dependencies& dependencies, const Options& options);
  /// REQUIRES: the threads have ended.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  /// "http://127.0.0.1:8080", with the actual port.
  std::string url() const;
  std::uint16_t port() const;

  /// Reloads certificate and key for new connections (HOST-23). If they cannot be used, logs the reason, keeps the old
  /// ones and returns false.
  bool reload_tls();

  /// Stops accepting connections and requests; requests in progress continue.
  void stop();
  /// Waits until no connection is open. Returns false if some are still open after `time`.
  bool wait_until_closed(std::chrono::milliseconds time);

 private:
  std::shared_ptr<Listener> listener_;
};

}  // namespace tonearm::native
