#include "state/accounts/idempotency.h"

#include <utility>

#include "state/columns.h"
#include "tonearm/ascii.h"

namespace tonearm::state {

namespace {

Error key_of_another_request() {
  return {ErrorCode::invalid_request, "This Idempotency-Key was used for another request: choose a new one."};
}

}  // namespace

IdempotentRequest::IdempotentRequest(Hashing& hashing, std::string_view idempotency_key, std::string description)
    : description_(std::move(description)) {
  if (!idempotency_key.empty()) key_hash_ = ascii::to_hex(hashing.sha256(idempotency_key));
}

Result<std::string> IdempotentRequest::find_previous_result(sql::Transaction& transaction) const {
  if (key_hash_.empty()) return std::string();
  const sql::Rows rows =
      transaction.execute("SELECT request, made_id FROM creations WHERE key_sha256 = ?1", {key_hash_});
  if (rows.empty()) return std::string();
  if (text_at(rows[0], 0) != description_) return key_of_another_request();
  return text_at(rows[0], 1);
}

void IdempotentRequest::save(sql::Transaction& transaction, const std::string& account, const std::string& created_id,
                             std::int64_t now_ms) const {
  if (key_hash_.empty()) return;
  transaction.execute(
      "INSERT INTO creations (key_sha256, account, request, made_id, made_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
      {key_hash_, account, description_, created_id, now_ms});
}

IdempotentRequest account_creation(Hashing& hashing, std::string_view idempotency_key, Plan plan) {
  return {hashing, idempotency_key, "account " + std::string(plan_name(plan))};
}

bool remove_old_requests(sql::Transaction& transaction, std::int64_t until_ms) {
  return !transaction
              .execute(
                  "DELETE FROM creations WHERE key_sha256 IN (SELECT key_sha256 FROM creations WHERE made_ms <= ?1"
                  " ORDER BY made_ms LIMIT 500) RETURNING key_sha256",
                  {until_ms})
              .empty();
}

}  // namespace tonearm::state
