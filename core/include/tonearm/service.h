#pragma once
// The API as a function from requests to responses. Both hosts, the tests and the MCP server call this and
// nothing else. Every call is safe from any thread.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "tonearm/catalog.h"
#include "tonearm/http.h"
#include "tonearm/ports.h"
#include "tonearm/sql.h"

namespace tonearm {

/// The key that was presented, the account behind it, and what the answer has to carry because of it.
/// Made by `Service::admit`, spent by `Service::answer`.
struct Admitted {
  std::string account;  // empty: a public path, no key needed
  std::string key_id;
  bool first_party = false;      // a session key (C3.5)
  std::int64_t began_ms = 0;     // by the service's clock, which measures how long the call takes
  std::int64_t counted_ms = 0;   // by the clock that counts calls, the store's where it has one (C7.1)
  std::int64_t call_number = 0;  // of the call's record; 0: it gets one when it is written
  Headers headers;               // RateLimit fields (C7.4)
};

struct ServiceOptions {
  /// Secret of the deployment for the keys' MACs (C3.2); empty: made in the state on first start.
  std::string key_secret;
  /// SHA-256 of the admin interface's bearer token.
  Sha256 admin_token_hash{};
  /// Told what stands behind an answer 503: a fault of the state or of the snapshot, for the operator alone. May be
  /// empty; called from any thread.
  std::function<void(std::string_view)> report_fault;
  /// How much of whole catalog answers is kept in memory; 0: nothing.
  std::size_t answer_cache_bytes = std::size_t{32} * 1024 * 1024;
  /// The embedded store counts in memory and writes within a second (C7.6): the host calls `flush`.
};

/// Counts for the host's metrics.
struct FlushReport {
  std::size_t counters_written = 0;
  std::size_t records_written = 0;
};

class Service {
 public:
  /// Everything it needs, all outliving the service. `catalog` gives the snapshot in force, or null where
  /// there is none yet: a request uses the one it got first until its end. Throws sql::Failure when the
  /// state cannot be opened or was written by a newer version.
  struct Parts {
    Clock& clock;
    Random& random;
    Hashing& hashing;
    sql::Store& store;
    std::function<std::shared_ptr<const Catalog>()> catalog;
    /// A consistent copy of an embedded state, for the operator; empty where the state is none. Throws sql::Failure.
    std::function<std::shared_ptr<BodySource>()> backup = nullptr;
  };
  static std::unique_ptr<Service> make(const Parts& parts, const ServiceOptions& options);
  virtual ~Service() = default;

  /// C1, steps 2 to 4, from the head alone: an answer that needs no body (404, 401, 429, 503), or the leave to
  /// go on. What passes here is counted.
  virtual std::variant<Response, Admitted> admit(const RequestHead& head) = 0;
  /// C1, steps 5 to 14. Records the call.
  virtual Response answer(const Admitted& admitted, const Request& request) = 0;
  /// Instead of `answer`, where the host cannot go on with an admitted call: its body broke off, or `answer` threw.
  /// Gives the host's own `response` what the call's answer has to carry, and records the call (C8).
  virtual Response refuse(const Admitted& admitted, const RequestHead& head, Response response) = 0;
  /// Both in a row.
  Response handle(const Request& request);

  /// The answer to who has not the admin interface's token, or nothing. For what a host shows behind the same token.
  virtual std::optional<Response> refuse_admin(const RequestHead& head) = 0;
  /// The admin interface (C11): its own address, its own token, the same table of routes.
  virtual Response handle_admin(const Request& request) = 0;

  /// Writes what admission holds in memory (counters, call records). To be called every second or sooner, and
  /// before the end. Throws sql::Failure; nothing is lost then, the next call writes it.
  virtual FlushReport flush() = 0;
  /// One small step of retention (C8): blanks old search texts, removes old records. True while more remains.
  virtual bool retain_step() = 0;
};

/// The limits of a body and of a head that hosts enforce for the core (catalog-api, Limits; C1.1).
inline constexpr std::size_t kBodyBytesMax = 65'536;

/// An error in the one shape that errors have (catalog-api, Errors), for what a host refuses by itself.
Response error_response(const Error& error);

}  // namespace tonearm
