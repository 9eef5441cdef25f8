#pragma once
// A pool of connections to one server. Safe for concurrent calls; each call runs on the caller's thread, over a
// connection of its own.

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "client/client_connection.h"

namespace tonearm::native {

class ClientPool {
 public:
  struct Options {
    std::string ca_file{};                   // as for `send`
    std::size_t idle_max = 32;               // idle connections in the pool
    std::chrono::milliseconds time{10'000};  // for a whole exchange
    std::size_t body_bytes_max = 64U << 20U;
    std::size_t bodies_bytes_max = 128U << 20U;  // of all responses that are being received
  };

  /// Throws std::runtime_error if `ca_file` cannot be read.
  ClientPool(ServerUrl server, Options options);

  /// Throws ClientTimeout, or another std::runtime_error, if there is no response. Retries GET and HEAD once, over a
  /// new connection, if an idle connection breaks, but never after a timeout.
  ClientResponse send(const ClientRequest& request);

 private:
  std::unique_ptr<ClientConnection> take_idle();
  ClientResponse send_over(std::unique_ptr<ClientConnection> connection, const ClientRequest& request);

  const ServerUrl server_;
  const Options options_;
  const ClientTrust trust_;
  ByteBudget bodies_{options_.bodies_bytes_max};
  std::mutex mutex_;
  std::vector<std::unique_ptr<ClientConnection>> idle_;  // the one used last at the end
};

}  // namespace tonearm::native
