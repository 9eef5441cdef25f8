#include "state/creations.h"

#include <utility>

#include "state/columns.h"
#include "tonearm/ascii.h"

namespace tonearm::state {

Creation::Creation(Hashing& hashing, std::string_view idempotency_key, std::string request)
    : request_(std::move(request)) {
  if (!idempotency_key.empty()) key_hash_ = ascii::to_hex(hashing.sha256(idempotency_key));
}

Result<std::string> Creation::made_before(sql::Transaction& transaction) const {
  if (!has_key()) return std::string();
  const sql::Rows rows =
      transaction.execute("SELECT request, made_id FROM creations WHERE key_sha256 = ?1", {key_hash_});
  if (rows.empty()) return std::string();
  if (text_at(rows[0], 0) != request_) {
    return Error{ErrorCode::invalid_request, "This Idempotency-Key was used for another request: choose a new one."};
  }
  return text_at(rows[0], 1);
}

void Creation::note(sql::Transaction& transaction, const std::string& account, const std::string& made_id,
                    std::int64_t now_ms) const {
  if (!has_key()) return;
  transaction.execute(
      "INSERT INTO creations (key_sha256, account, request, made_id, made_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
      {key_hash_, account, request_, made_id, now_ms});
}

bool forget_creations(sql::Transaction& transaction, std::int64_t until_ms) {
  return !transaction
              .execute(
                  "DELETE FROM creations WHERE key_sha256 IN (SELECT key_sha256 FROM creations WHERE made_ms <= ?1"
                  " ORDER BY made_ms LIMIT 500) RETURNING key_sha256",
                  {until_ms})
              .empty();
}

}  // namespace tonearm::state
