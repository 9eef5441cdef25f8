#pragma once
// One connection to a server over libcurl, for exchanges one after the other. It runs on the caller's thread. Not
// thread-safe.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>

#include "client/byte_budget.h"
#include "client/http_client.h"
#include "tonearm/ports.h"

namespace tonearm::native {

/// The certificates that https trusts. Connections may share one; it outlives them. Safe for concurrent use.
class ClientTrust {
 public:
  /// `ca_file`: PEM certificates; empty: the system's. Throws std::runtime_error if they cannot be read.
  explicit ClientTrust(const std::string& ca_file);
  ~ClientTrust();
  ClientTrust(const ClientTrust&) = delete;
  ClientTrust& operator=(const ClientTrust&) = delete;

  struct Store;
  Store& store() const { return *store_; }

 private:
  std::unique_ptr<Store> store_;
};

/// The server did not answer in time.
class ClientTimeout final : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Receives status and header fields before the first byte of the body. An exception that it throws ends the exchange
/// and reaches the caller.
using HeadCheck = std::function<void(const ClientResponse&)>;

/// Receives the server of a redirect before the request is sent to it, without a path. An exception that it throws ends
/// the exchange and reaches the caller.
using RedirectCheck = std::function<void(const ServerUrl&)>;

/// The timeouts of an exchange, and the destination of its body.
struct Reception {
  std::chrono::milliseconds until_head{30'000};
  std::chrono::milliseconds between_pieces{30'000};
  /// For the whole exchange; nothing: no limit.
  std::optional<std::chrono::milliseconds> total = std::chrono::milliseconds(30'000);
  const BodySink* sink = nullptr;    // for the body of status 200 or 206; null: the response
  const HeadCheck* check = nullptr;  // null: none
  std::size_t body_bytes_max = 256U << 20U;
  ByteBudget* bodies = nullptr;  // of the bodies of all exchanges while they are received; null: no limit
  int redirects_max = 0;         // to follow, never from https to http
  const RedirectCheck* redirect_check = nullptr;  // null: none
  Interrupted interrupted{};                      // cancels the exchange within a second
};

enum class AfterExchange : std::uint8_t { close, keep };

class ClientConnection {
 public:
  /// Connects with the first exchange.
  ClientConnection(ServerUrl server, const ClientTrust& trust);
  ~ClientConnection();
  ClientConnection(const ClientConnection&) = delete;
  ClientConnection& operator=(const ClientConnection&) = delete;

  /// Sends the request exactly once. Throws ClientTimeout, or another std::runtime_error, if there is no complete
  /// response; the connection is then unusable.
  ClientResponse exchange(const ClientRequest& request, const Reception& reception, AfterExchange after);

  /// Returns whether another exchange may use the connection: the server has neither closed it nor sent anything since.
  bool is_reusable() const;

 private:
  struct Handle;

  ServerUrl server_;
  const ClientTrust& trust_;
  std::unique_ptr<Handle> handle_;
  bool is_kept_ = false;
};

}  // namespace tonearm::native
