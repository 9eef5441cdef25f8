#pragma once
// The API as a function from requests to responses, over one store that holds all accounts. Where each account has a
// store of its own, shard_service.h stands in its place. Every call is safe from any thread.

#include <functional>
#include <memory>
#include <optional>
#include <variant>

#include "tonearm/calls.h"
#include "tonearm/catalog.h"
#include "tonearm/flush_report.h"
#include "tonearm/http.h"
#include "tonearm/ports.h"
#include "tonearm/service_counts.h"
#include "tonearm/sql.h"

namespace tonearm {

class Service {
 public:
  /// Everything it needs, all outliving the service. `catalog` gives the snapshot in force, or null where
  /// there is none yet: a request uses the one it got first until its end. Throws Failure when the
  /// state cannot be opened or was written by a newer version.
  struct Dependencies {
    Clock& clock;
    Random& random;
    Hashing& hashing;
    sql::Store& store;
    std::function<std::shared_ptr<const Catalog>()> catalog;
    /// A consistent copy of an embedded state, for the operator; empty where the state is none. Throws Failure.
    std::function<std::shared_ptr<BodySource>()> backup = nullptr;
    /// Whether the state has so little room left that calls leave no records of their own (RECORD-9); empty: never.
    /// Called from any thread.
    std::function<bool()> is_short_of_room = nullptr;
  };
  static std::unique_ptr<Service> make(const Dependencies& dependencies, const ServiceOptions& options);
  virtual ~Service() = default;

  /// CHECK-2 to CHECK-4, from the head alone: an answer that needs no body (404, 401, 429, 503), or the
  /// admission. What is admitted is counted.
  virtual std::variant<Response, Admitted> admit(const RequestHead& head) = 0;
  /// The same for a thread that may not wait: of a call whose admission needs memory alone and whose answer needs the
  /// catalog alone. Nothing, and nothing is counted, where the call is for `admit`.
  virtual std::optional<std::variant<Response, Admitted>> try_admit(const RequestHead& /*head*/) {
    return std::nullopt;
  }
  /// CHECK-5 to CHECK-14. Records the call.
  virtual Response answer(const Admitted& admitted, const Request& request) = 0;
  /// Instead of `answer`, where the host cannot go on with an admitted call: its body broke off, or `answer` threw.
  /// Gives the host's own `response` what the call's answer has to carry, and records the call (RECORD-1).
  virtual Response refuse(const Admitted& admitted, const RequestHead& head, Response response) = 0;
  /// Both in a row.
  Response handle(const Request& request);

  /// The refusal where the head lacks the admin interface's token, else nothing. A host asks before it reads the body
  /// (ADMIN-8).
  virtual std::optional<Response> refuse_admin(const RequestHead& head) = 0;
  /// The same for the metrics, which have a token of their own (ADMIN-5).
  virtual std::optional<Response> refuse_metrics(const RequestHead& head) = 0;
  /// The admin interface (ADMIN-1): its own address, its own token, the same table of routes.
  virtual Response handle_admin(const Request& request) = 0;

  /// Writes what admission holds in memory (counters, call records). To be called every second or sooner, and
  /// before the end. Throws Failure; nothing is lost then, the next call writes it.
  virtual FlushReport flush() = 0;
  /// One small step of retention (RECORD-4): blanks old search texts, removes old records. True while more remains.
  virtual bool retain_step() = 0;
  /// Since the service was made.
  virtual ServiceCounts counts() const = 0;
};

}  // namespace tonearm
