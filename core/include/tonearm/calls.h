#pragma once
// Values that all services share: an admitted call, the options of a service, and error responses.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/http.h"
#include "tonearm/ports.h"
#include "tonearm/result.h"

namespace tonearm {

/// An admitted call: its key, its account, and the header fields of its answer. `admit` returns it; `answer` or
/// `refuse` uses it once.
struct Admitted {
  std::string account;  // empty: a public path, which needs no key
  std::string key_id;
  bool first_party = false;      // whether the key is a session key (KEY-9)
  std::int64_t began_ms = 0;     // by the service's clock, which measures the duration of the call
  std::int64_t waited_ms = 0;    // how long the host waited for blocks of the catalog while that clock was stopped
  std::int64_t counted_ms = 0;   // by the clock that counts calls: the store's, if it has one (LIMIT-3)
  std::int64_t call_number = 0;  // of the call's record; 0: assigned when the record is written
  /// Of a request to `/mcp` that was counted by its body (MCP-5): the name of the call, empty if it is none.
  std::optional<std::string> counted_message{};
  Headers headers;  // RateLimit fields (LIMIT-7)
};

/// What the answer to a message needs: only the catalog; the state or nothing; or to write more than it deletes.
enum class MessageNeeds : std::uint8_t { catalog, state, write };

/// A request to `/mcp` that was counted by its body (MCP-5).
struct AdmittedMessage {
  Admitted admitted;
  MessageNeeds needs = MessageNeeds::state;
};

/// The addresses with which clients of `/mcp` sign in with OAuth (MCP-20): http(s)://HOST[:PORT].
struct OauthAddresses {
  std::string service;               // of this service, as clients reach it
  std::string authorization_server;  // whose access tokens are session keys of this service; empty: none
};

struct ServiceOptions {
  /// The deployment's secret for the MACs of keys (KEY-12). Empty: generated in the state at the first start.
  std::string key_secret;
  /// SHA-256 of the admin interface's bearer token.
  Sha256 admin_token_hash{};
  /// SHA-256 of a token that gives access only to the metrics (ADMIN-5).
  std::optional<Sha256> metrics_token_hash;
  /// Called with each line of the audit log (ADMIN-7): one JSON object without a line break. May be empty. Called from
  /// any thread.
  std::function<void(std::string_view)> write_audit_line;
  /// Called with the reason for each answer 503: a failure of the state or of the snapshot, for operators only. May be
  /// empty. Called from any thread.
  std::function<void(std::string_view)> report_failure;
  /// The size of the cache of catalog answers in bytes; 0: no cache.
  std::size_t answer_cache_bytes = std::size_t{32} * 1024 * 1024;
  /// Whether answers may use `Response::shared_body`, which the host sends from the memory of the cache.
  bool shares_bodies = false;
  OauthAddresses oauth{};
};

/// The largest body of most routes (BODY-2).
inline constexpr std::size_t kBodyBytes = 65'536;
/// The largest body of any route: the limit that hosts enforce (BODY-2, CHECK-1).
inline constexpr std::size_t kBodyBytesMax = 262'144;

/// Returns an error as a response (ERROR-1), for requests that a host rejects itself.
Response error_response(const Error& error);

}  // namespace tonearm
