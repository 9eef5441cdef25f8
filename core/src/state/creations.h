#pragma once
// What requests with an Idempotency-Key have made (ADMIN-9), so that the same request makes nothing twice. Functions
// run in the caller's transaction and throw sql::Failure.

#include <cstdint>
#include <string>
#include <string_view>

#include "domain/api_key.h"
#include "tonearm/result.h"
#include "tonearm/sql.h"

namespace tonearm::state {

/// One request to make something, with the key that its sender chose. The key itself is never stored: whoever has it
/// can have the API key again that it made.
class Creation {
 public:
  /// `request`: what is to be made, in words that are the same for the same request. Without a key nothing is kept.
  Creation(Hashing& hashing, std::string_view idempotency_key, std::string request);

  bool has_key() const { return !key_hash_.empty(); }
  /// The id of what the same request made before; empty: nothing. Errors: invalid_request, where the key stands for
  /// another request.
  Result<std::string> made_before(sql::Transaction& transaction) const;
  /// Nothing without a key.
  void note(sql::Transaction& transaction, const std::string& account, const std::string& made_id,
            std::int64_t now_ms) const;

 private:
  std::string key_hash_;
  std::string request_;
};

/// How long a key is remembered.
inline constexpr std::int64_t kCreationMs = 24LL * 60 * 60 * 1'000;

/// Forgets some that are older. True while there may be more.
bool forget_creations(sql::Transaction& transaction, std::int64_t until_ms);

}  // namespace tonearm::state
