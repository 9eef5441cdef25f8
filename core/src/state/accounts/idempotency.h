#pragma once
// Results of requests with an Idempotency-Key (ADMIN-9), so that a repeated request creates nothing twice. Functions
// run in the caller's transaction and throw sql::Failure.

#include <cstdint>
#include <string>
#include <string_view>

#include "domain/api_key.h"
#include "domain/plan.h"
#include "tonearm/result.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// A request to create something, with the idempotency key that its client chose. Only the key's hash is stored: the
/// key itself would give access to the API key that the request created.
class IdempotentRequest {
 public:
  /// `description` identifies the request: it is equal for equal requests. With an empty key nothing is stored.
  IdempotentRequest(Hashing& hashing, std::string_view idempotency_key, std::string description);

  /// Returns the id that the same request created before, or an empty one. Errors: invalid_request if the key was used
  /// for another request.
  Result<std::string> find_previous_result(sql::Transaction& transaction) const;
  void save(sql::Transaction& transaction, const std::string& account, const std::string& created_id,
            std::int64_t now_ms) const;

 private:
  std::string key_hash_;  // empty: the request has no key
  std::string description_;
};

/// The request to create an account.
IdempotentRequest account_creation(Hashing& hashing, std::string_view idempotency_key, Plan plan);

/// How long a key is valid.
inline constexpr std::int64_t kIdempotencyWindowMs = 24LL * 60 * 60 * 1'000;

/// Removes some results that are older. Returns true while there may be more.
bool remove_old_requests(sql::Transaction& transaction, std::int64_t until_ms);

}  // namespace tonearm::state
