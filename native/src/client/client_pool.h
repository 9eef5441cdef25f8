#pragma once
// Connections to one server that are kept between exchanges. Safe for concurrent calls; each call runs on the thread
// that asks, over a connection of its own.

#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "client/client_connection.h"

namespace tonearm::native {

class ClientPool {
 public:
  struct Options {
    std::string ca_file{};                   // as for `ask`
    std::size_t idle_max = 32;               // connections that are kept
    std::chrono::milliseconds time{10'000};  // for a whole exchange
  };

  /// Throws std::runtime_error where `ca_file` cannot be read.
  ClientPool(ServerUrl server, Options options);

  /// Throws std::runtime_error where there is no answer. GET and HEAD are asked a second time, over a new connection,
  /// where a kept one breaks.
  ClientResponse ask(const ClientRequest& request);

 private:
  std::unique_ptr<ClientConnection> take_kept();
  ClientResponse ask_over(std::unique_ptr<ClientConnection> connection, const ClientRequest& request);

  ServerUrl server_;
  Options options_;
  ClientTrust trust_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<ClientConnection>> kept_;  // the one used last at the end
};

}  // namespace tonearm::native
