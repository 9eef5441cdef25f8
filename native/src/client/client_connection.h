#pragma once
// One connection to a server, for exchanges one after the other. It runs on the thread that asks; not to be shared
// between threads.

#include <chrono>
#include <memory>
#include <optional>

#include "client/http_client.h"

namespace tonearm::native {

/// Whom https trusts. Connections may share one; it outlives them.
class ClientTrust {
 public:
  /// PEM certificates; empty: the system's. Throws std::runtime_error where they cannot be read.
  explicit ClientTrust(const std::string& ca_file);
  ~ClientTrust();
  ClientTrust(const ClientTrust&) = delete;
  ClientTrust& operator=(const ClientTrust&) = delete;

  struct Context;
  Context& context() const { return *context_; }

 private:
  std::unique_ptr<Context> context_;
};

/// How long an answer may take, and where its body goes.
struct Reception {
  std::chrono::milliseconds until_head{30'000};
  std::chrono::milliseconds between_pieces{30'000};
  /// For the whole exchange; nothing: as long as it goes on.
  std::optional<std::chrono::milliseconds> altogether = std::chrono::milliseconds(30'000);
  const BodySink* sink = nullptr;  // of status 200; null: into the response
};

enum class AfterExchange : std::uint8_t { close, keep };

class ClientConnection {
 public:
  /// Connects with the first exchange.
  ClientConnection(const ServerUrl& server, const ClientTrust& trust);
  ~ClientConnection();
  ClientConnection(const ClientConnection&) = delete;
  ClientConnection& operator=(const ClientConnection&) = delete;

  /// Throws std::runtime_error where there is no whole answer; the connection is then of no more use.
  ClientResponse exchange(const ClientRequest& request, const Reception& reception, AfterExchange after);

  /// Whether it stands and a further exchange may go over it: the server has neither closed it nor said anything since.
  bool is_reusable() const;

  struct Link;

 private:
  ServerUrl server_;
  std::unique_ptr<Link> link_;
};

}  // namespace tonearm::native
