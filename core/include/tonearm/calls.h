#pragma once
// What every service says about a call: who was admitted, what a service is configured with, and the one shape of
// errors. Plain values.

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

/// The key that was presented, the account behind it, and what the answer has to carry because of it.
/// Made by `admit`, spent by `answer` or `refuse`.
struct Admitted {
  std::string account;  // empty: a public path, no key needed
  std::string key_id;
  bool first_party = false;      // a session key (KEY-9)
  std::int64_t began_ms = 0;     // by the service's clock, which measures how long the call takes
  std::int64_t waited_ms = 0;    // what the host waited for blocks of the catalog while that clock stood still
  std::int64_t counted_ms = 0;   // by the clock that counts calls, the store's where it has one (LIMIT-3)
  std::int64_t call_number = 0;  // of the call's record; 0: it gets one when it is written
  Headers headers;               // RateLimit fields (LIMIT-7)
};

struct ServiceOptions {
  /// Secret of the deployment for the keys' MACs (KEY-12); empty: made in the state on first start.
  std::string key_secret;
  /// SHA-256 of the admin interface's bearer token.
  Sha256 admin_token_hash{};
  /// SHA-256 of a token that opens the metrics alone (ADMIN-5).
  std::optional<Sha256> metrics_token_hash;
  /// Given each line of the audit log (ADMIN-7): one JSON object, without a line break. May be empty; called from any
  /// thread.
  std::function<void(std::string_view)> report_act;
  /// Told why a call is answered 503: a failure of the state or of the snapshot, for the operator alone. May be empty;
  /// called from any thread.
  std::function<void(std::string_view)> report_failure;
  /// How many bytes of whole catalog answers are kept in memory; 0: none.
  std::size_t answer_cache_bytes = std::size_t{32} * 1024 * 1024;
  /// Whether an answer's body may be `Response::shared_body`: the host writes it from the memory of the cache.
  bool shares_bodies = false;
};

/// What most routes take of a body (BODY-2).
inline constexpr std::size_t kBodyBytes = 65'536;
/// What any route takes: the limit that hosts enforce for the core (BODY-2, CHECK-1).
inline constexpr std::size_t kBodyBytesMax = 262'144;

/// An error in the one shape that errors have (ERROR-1), for what a host refuses by itself.
Response error_response(const Error& error);

}  // namespace tonearm
