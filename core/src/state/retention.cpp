#include <string_view>

#include "state/call_log.h"

namespace tonearm::state {

namespace {

constexpr std::int64_t kDayMs = 86'400'000;
// catalog-api, Limits: search text is removed after 90 days, other call records after 400 days.
constexpr std::int64_t kSearchTextMs = 90 * kDayMs;
constexpr std::int64_t kRecordMs = 400 * kDayMs;
/// C8: steps so small that they block no write.
constexpr std::int64_t kRowsOfStep = 500;

struct Rule {
  std::int64_t kept_ms;
  std::string_view statement;  // ?1: what is at most this old in Unix milliseconds has to go; ?2: rows at most
};

/// A row that goes altogether need not be blanked first, so the longer term comes first. A session's row is kept as
/// long as the records of its calls, which name it.
constexpr Rule kRules[] = {
    {kRecordMs,
     "DELETE FROM call_records WHERE (account, at_ms, record_number) IN (SELECT account, at_ms, record_number"
     " FROM call_records WHERE at_ms <= ?1 ORDER BY at_ms LIMIT ?2) RETURNING at_ms"},
    {kSearchTextMs,
     "UPDATE call_records SET search_text = NULL WHERE (account, at_ms, record_number) IN (SELECT account, at_ms,"
     " record_number FROM call_records WHERE search_text IS NOT NULL AND at_ms <= ?1 ORDER BY at_ms LIMIT ?2)"
     " RETURNING at_ms"},
    {kRecordMs,
     "DELETE FROM api_keys WHERE (account, key_id) IN (SELECT account, key_id FROM api_keys"
     " WHERE expires_ms IS NOT NULL AND expires_ms <= ?1 ORDER BY expires_ms LIMIT ?2) RETURNING expires_ms"},
};

}  // namespace

bool retain_rows(sql::Store& store, std::int64_t now_ms) {
  std::int64_t rows_left = kRowsOfStep;
  store.transact([&](sql::Transaction& transaction) {
    rows_left = kRowsOfStep;
    for (const Rule& rule : kRules) {
      if (rows_left == 0) return;
      const sql::Rows changed = transaction.execute(rule.statement, {now_ms - rule.kept_ms, rows_left});
      rows_left -= static_cast<std::int64_t>(changed.size());
    }
  });
  return rows_left == 0;
}

}  // namespace tonearm::state
