#pragma once
// The API as a function from requests to responses, over one store with all accounts. Hosts that give each account a
// store of its own use shard_service.h instead. Every function may be called from any thread.

#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

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
  /// All of them outlive the service.
  struct Dependencies {
    Clock& clock;
    Random& random;
    Hashing& hashing;
    sql::Store& store;
    /// Returns the active snapshot, or null if there is none yet. A request uses the same one until its end.
    std::function<std::shared_ptr<const Catalog>()> catalog;
    /// Returns a consistent copy of an embedded state for the operator. Empty: the state is not embedded. Throws
    /// Failure.
    std::function<std::shared_ptr<BodySource>()> backup = nullptr;
    /// Returns whether the state has so little free space that calls get no records of their own (RECORD-9). Empty:
    /// never. Called from any thread.
    std::function<bool()> is_low_on_space = nullptr;
    /// The other databases if the state is divided among several (HOST-56): shared stores, the same ones in the same
    /// order on each server. REQUIRES: the options have a key secret. Empty: `store` has all accounts.
    std::vector<sql::Store*> more_stores = {};
  };
  /// Throws Failure if the state cannot be opened, or if a newer version wrote it.
  static std::unique_ptr<Service> make(const Dependencies& dependencies, const ServiceOptions& options);
  virtual ~Service() = default;

  /// CHECK-2 to CHECK-4, from the head alone: returns an error response that needs no body (404, 401, 429, 503), or the
  /// admission. Counts admitted calls.
  virtual std::variant<Response, Admitted> admit(const RequestHead& head) = 0;
  /// Does the same without blocking, for calls whose admission needs only memory and whose answer needs only the
  /// catalog. For other calls returns nothing and counts nothing; they need `admit`.
  virtual std::optional<std::variant<Response, Admitted>> try_admit(const RequestHead& /*head*/) {
    return std::nullopt;
  }
  /// CHECK-5 to CHECK-14: answers an admitted call, and records it.
  virtual Response answer(const Admitted& admitted, const Request& request) = 0;
  /// Replaces `answer` if the host cannot continue with an admitted call: its body was truncated, or `answer` threw.
  /// Adds the header fields of the call's answer to the host's own `response`, and records the call (RECORD-1).
  virtual Response refuse(const Admitted& admitted, const RequestHead& head, Response response) = 0;
  /// Calls `admit` and `answer`.
  Response handle(const Request& request);

  /// Returns an error response if the head lacks the admin token, else nothing. Hosts must call it before they read the
  /// body (ADMIN-8).
  virtual std::optional<Response> refuse_admin(const RequestHead& head) = 0;
  /// Does the same for the metrics, which also accept a token of their own (ADMIN-5).
  virtual std::optional<Response> refuse_metrics(const RequestHead& head) = 0;
  /// Answers a request to the admin interface (ADMIN-1).
  virtual Response handle_admin(const Request& request) = 0;

  /// Writes the counters and call records that are in memory. Must be called at least every second, and before the
  /// process ends. Throws Failure; nothing is lost then, and the next call writes it.
  virtual FlushReport flush() = 0;
  /// Makes the next flush try every database, even one that it would skip because it has just failed (HOST-57). For the
  /// last flush of a process.
  virtual void skip_no_database() {}
  /// Runs one small step of retention (RECORD-4), which removes old search texts or records. Returns true while there
  /// is more to remove. Throws Failure.
  virtual bool retain_step() = 0;
  /// Returns what was counted since the service was created.
  virtual ServiceCounts counts() const = 0;
};

}  // namespace tonearm
