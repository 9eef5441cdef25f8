#include "state/account_removal.h"
#include "state/call_log.h"
#include "state/call_parts.h"
#include "state/store_time.h"

namespace tonearm::state {

namespace {

/// C8: steps so small that they block no write.
constexpr std::int64_t kRowsOfStep = 500;
/// A part with more rows loses some first: where freed pages are overwritten, to drop it takes as long as it is large.
constexpr std::int64_t kRowsOfDrop = 4'000;

/// A part goes when the last of its day is past the term.
bool retain_part(sql::Transaction& transaction, PartKind kind, std::int64_t until_ms) {
  const std::optional<Part> part = oldest_ended_part(transaction, kind, until_ms);
  if (!part) return false;
  if (has_more_rows(transaction, *part, kRowsOfDrop)) {
    remove_from_part(transaction, *part, kRowsOfStep);
  } else {
    drop_part(transaction, *part);
  }
  return true;
}

/// A session's row is kept as long as the records of its calls, which name it.
bool retain_sessions(sql::Transaction& transaction, std::int64_t until_ms) {
  return !transaction
              .execute(
                  "DELETE FROM api_keys WHERE (account, key_id) IN (SELECT account, key_id FROM api_keys"
                  " WHERE expires_ms IS NOT NULL AND expires_ms <= ?1 ORDER BY expires_ms LIMIT ?2)"
                  " RETURNING key_id",
                  {until_ms, kRowsOfStep})
              .empty();
}

}  // namespace

bool retain_rows(sql::Store& store, Clock& clock) {
  bool found = false;
  store.transact([&](sql::Transaction& transaction) {
    const std::int64_t now_ms = time_of(transaction, clock);
    found = retain_part(transaction, PartKind::search_texts, now_ms - kSearchTextMs) ||
            retain_part(transaction, PartKind::records, now_ms - kRecordMs) || remove_rows_of_account(transaction) ||
            retain_sessions(transaction, now_ms - kRecordMs);
  });
  return found;
}

}  // namespace tonearm::state
