#include "state/accounts/account_rows.h"

#include <string_view>

#include "state/columns.h"
#include "tonearm/ascii.h"

namespace tonearm::state {

namespace {

Sha256 digest_at(const sql::Row& row, std::size_t column) {
  const std::string& hex = text_at(row, column);
  Sha256 digest;
  if (hex.size() != digest.size() * 2) throw sql::Failure("the state is damaged: a key's hash has a wrong length");
  const auto digit = [](char character) {
    return static_cast<unsigned>(character <= '9' ? character - '0' : character - 'a' + 10);
  };
  for (std::size_t index = 0; index < digest.size(); ++index) {
    digest[index] = static_cast<std::uint8_t>((digit(hex[2 * index]) << 4U) | digit(hex[2 * index + 1]));
  }
  return digest;
}

/// Reads six columns from `first` on.
CallCounts counts_at(const sql::Row& row, std::size_t first) {
  CallCounts counts;
  for (std::size_t index = 0; index < counts.windows.size(); ++index) {
    counts.windows[index] = {integer_at(row, first + 2 * index), count_at(row, first + 2 * index + 1)};
  }
  return counts;
}

void append_counts(sql::Row& values, const CallCounts& counts) {
  for (const auto& count : counts.windows) {
    values.emplace_back(count.began_ms);
    values.emplace_back(std::int64_t{count.calls});
  }
}

CallCounts read_counts(sql::Transaction& transaction, const std::string& account) {
  static const std::string kStatement =
      "SELECT " + std::string(kCountColumns) + " FROM call_counters WHERE account = ?1";
  const sql::Rows rows = transaction.execute(kStatement, {account});
  return rows.empty() ? CallCounts{} : counts_at(rows[0], 0);
}

constexpr std::string_view kActiveKeys =
    "SELECT key_id, key_sha256, is_session, created_ms, expires_ms FROM api_keys WHERE account = ?1"
    " AND revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > ?2)";

KeyRow key_row(const sql::Row& row) {
  return {{text_at(row, 0), integer_at(row, 2) != 0, integer_at(row, 3), maybe_integer_at(row, 4), {}},
          digest_at(row, 1)};
}

}  // namespace

AccountInfo account_info(const sql::Row& row) {
  return {text_at(row, 0), plan_at(row, 1), integer_at(row, 2), count_at(row, 3)};
}

Plan plan_at(const sql::Row& row, std::size_t column) {
  const std::optional<Plan> plan = find_plan(text_at(row, column));
  if (!plan) throw sql::Failure("the state is damaged: an account has an unknown plan");
  return *plan;
}

std::optional<StoredAccount> read_stored_account(sql::Transaction& transaction, const std::string& account,
                                                 std::int64_t now_ms) {
  const sql::Rows accounts = transaction.execute("SELECT plan FROM accounts WHERE account = ?1", {account});
  if (accounts.empty()) return std::nullopt;
  StoredAccount stored;
  stored.plan = plan_at(accounts[0], 0);
  stored.counts = read_counts(transaction, account);
  for (const KeyRow& key : read_active_keys(transaction, account, now_ms)) {
    stored.keys.push_back({key.hash, key.info.key_id, key.info.session, key.info.expires_ms});
  }
  return stored;
}

void write_counts(sql::Transaction& transaction, const std::string& account, const CallCounts& counts) {
  sql::Row values{account};
  append_counts(values, counts);
  transaction.execute(
      "INSERT INTO call_counters (account, minute_began_ms, minute_calls, day_began_ms, day_calls, month_began_ms,"
      " month_calls) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (account) DO UPDATE SET"
      " minute_began_ms = excluded.minute_began_ms, minute_calls = excluded.minute_calls,"
      " day_began_ms = excluded.day_began_ms, day_calls = excluded.day_calls,"
      " month_began_ms = excluded.month_began_ms, month_calls = excluded.month_calls",
      values);
}

std::optional<KeyAndCounts> find_key_and_counts(sql::Transaction& transaction, const std::string& account,
                                                const Sha256& key_hash) {
  const sql::Rows rows = transaction.execute(
      "SELECT a.plan, k.key_id, k.is_session, k.expires_ms, c.minute_began_ms, c.minute_calls, c.day_began_ms,"
      " c.day_calls, c.month_began_ms, c.month_calls FROM accounts a JOIN api_keys k ON k.account = a.account"
      " LEFT JOIN call_counters c ON c.account = a.account"
      " WHERE a.account = ?1 AND k.key_sha256 = ?2 AND k.revoked_ms IS NULL",
      {account, ascii::to_hex(key_hash)});
  if (rows.empty()) return std::nullopt;
  const sql::Row& row = rows[0];
  constexpr std::size_t kFirstCount = 4;
  KeyAndCounts found;
  found.plan = plan_at(row, 0);
  found.key = {key_hash, text_at(row, 1), integer_at(row, 2) != 0, maybe_integer_at(row, 3)};
  if (!is_null_at(row, kFirstCount)) found.counts = counts_at(row, kFirstCount);
  return found;
}

bool replace_counts(sql::Transaction& transaction, const std::string& account, const CallCounts& read,
                    const CallCounts& counted) {
  sql::Row values{account};
  append_counts(values, counted);
  append_counts(values, read);
  const sql::Rows replaced = transaction.execute(
      "UPDATE call_counters SET minute_began_ms = ?2, minute_calls = ?3, day_began_ms = ?4, day_calls = ?5,"
      " month_began_ms = ?6, month_calls = ?7 WHERE account = ?1 AND minute_began_ms = ?8 AND minute_calls = ?9"
      " AND day_began_ms = ?10 AND day_calls = ?11 AND month_began_ms = ?12 AND month_calls = ?13 RETURNING account",
      values);
  return !replaced.empty();
}

bool insert_counts(sql::Transaction& transaction, const std::string& account, const CallCounts& counts) {
  sql::Row values{account};
  append_counts(values, counts);
  const sql::Rows inserted = transaction.execute(
      "INSERT INTO call_counters (account, minute_began_ms, minute_calls, day_began_ms, day_calls, month_began_ms,"
      " month_calls) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (account) DO NOTHING RETURNING account",
      values);
  return !inserted.empty();
}

void delete_counts(sql::Transaction& transaction, const std::string& account) {
  transaction.execute("DELETE FROM call_counters WHERE account = ?1", {account});
}

AccountLimits read_limits(sql::Transaction& transaction, const std::string& account, std::int64_t now_ms) {
  const sql::Rows rows = transaction.execute("SELECT plan FROM accounts WHERE account = ?1", {account});
  AccountLimits limits;
  limits.account = account;
  limits.plan = plan_at(rows.at(0), 0);
  const RateLimits quotas = rate_limits(limits.plan);
  const CallCounts counts = current_counts(read_counts(transaction, account), now_ms);
  for (std::size_t index = 0; index < limits.windows.size(); ++index) {
    auto& counted = limits.windows[index];
    counted.window = static_cast<Window>(index);
    if (quotas.calls[index] != 0) counted.quota = quotas.calls[index];
    counted.calls = counts.windows[index].calls;
    counted.began_ms = counts.windows[index].began_ms;
    counted.resets_ms = window_at(counted.window, counted.began_ms).end_ms;
  }
  return limits;
}

Presence presence_of(sql::Transaction& transaction, const std::string& account) {
  if (!transaction.execute("SELECT 1 FROM accounts WHERE account = ?1", {account}).empty()) return Presence::present;
  const bool is_moving = !transaction.execute("SELECT 1 FROM account_moves WHERE account = ?1", {account}).empty();
  return is_moving ? Presence::moving : Presence::absent;
}

sql::Failure account_is_moving() { return sql::Failure("the account is moved to another database at the moment"); }

bool insert_account(sql::Transaction& transaction, const std::string& account, Plan plan, std::int64_t now_ms) {
  const sql::Rows inserted = transaction.execute(
      "INSERT INTO accounts (account, plan, created_ms) VALUES (?1, ?2, ?3)"
      " ON CONFLICT (account) DO NOTHING RETURNING account",
      {account, std::string(plan_name(plan)), now_ms});
  return !inserted.empty();
}

std::optional<AccountInfo> find_account(sql::Transaction& transaction, const std::string& account) {
  static const std::string kStatement =
      "SELECT " + std::string(kAccountInfoColumns) + " FROM accounts a WHERE a.account = ?1";
  const sql::Rows rows = transaction.execute(kStatement, {account});
  if (rows.empty()) return std::nullopt;
  return account_info(rows[0]);
}

AccountsPage read_accounts_page(sql::Transaction& transaction, const AccountsQuery& query) {
  static const std::string kStatement = "SELECT " + std::string(kAccountInfoColumns) +
                                        " FROM accounts a WHERE (a.created_ms, a.account) > (?1, ?2)"
                                        " ORDER BY a.created_ms, a.account LIMIT ?3";
  constexpr std::int64_t kBeforeAll = -1;
  const AccountCursor after = query.after.value_or(AccountCursor{kBeforeAll, {}});
  AccountsPage page;
  // One row more shows whether there is a next page.
  for (const sql::Row& row :
       transaction.execute(kStatement, {after.created_ms, after.account, std::int64_t{query.limit} + 1})) {
    page.accounts.push_back(account_info(row));
  }
  page.total = count_at(transaction.execute("SELECT COUNT(*) FROM accounts").at(0), 0);
  if (page.accounts.size() > query.limit) {
    page.accounts.pop_back();
    page.after = AccountCursor{page.accounts.back().created_ms, page.accounts.back().account};
  }
  return page;
}

void update_plan(sql::Transaction& transaction, const std::string& account, Plan plan) {
  transaction.execute("UPDATE accounts SET plan = ?2 WHERE account = ?1", {account, std::string(plan_name(plan))});
}

void insert_key(sql::Transaction& transaction, const std::string& account, const KeyRow& key) {
  transaction.execute(
      "INSERT INTO api_keys (account, key_id, key_sha256, is_session, created_ms, expires_ms)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      {account, key.info.key_id, ascii::to_hex(key.hash), std::int64_t{key.info.session}, key.info.created_ms,
       nullable(key.info.expires_ms)});
}

std::vector<KeyInfo> read_keys_of_account(sql::Transaction& transaction, const std::string& account) {
  const sql::Rows rows = transaction.execute(
      "SELECT key_id, is_session, created_ms, expires_ms, revoked_ms FROM api_keys WHERE account = ?1"
      " ORDER BY created_ms, key_id",
      {account});
  std::vector<KeyInfo> keys;
  for (const sql::Row& row : rows) {
    keys.push_back({text_at(row, 0), integer_at(row, 1) != 0, integer_at(row, 2), maybe_integer_at(row, 3),
                    maybe_integer_at(row, 4)});
  }
  return keys;
}

std::vector<KeyRow> read_active_keys(sql::Transaction& transaction, const std::string& account, std::int64_t now_ms) {
  static const std::string kStatement = std::string(kActiveKeys) + " ORDER BY created_ms, key_id";
  std::vector<KeyRow> keys;
  for (const sql::Row& row : transaction.execute(kStatement, {account, now_ms})) keys.push_back(key_row(row));
  return keys;
}

std::optional<KeyRow> find_active_key(sql::Transaction& transaction, const std::string& account,
                                      const std::string& key_id, std::int64_t now_ms) {
  static const std::string kStatement = std::string(kActiveKeys) + " AND key_id = ?3";
  const sql::Rows rows = transaction.execute(kStatement, {account, now_ms, key_id});
  if (rows.empty()) return std::nullopt;
  return key_row(rows[0]);
}

bool is_key_active(sql::Transaction& transaction, const std::string& account, const std::string& key_id,
                   std::int64_t now_ms) {
  const sql::Rows rows = transaction.execute(
      "SELECT 1 FROM accounts a JOIN api_keys k ON k.account = a.account WHERE a.account = ?1 AND k.key_id = ?2"
      " AND k.revoked_ms IS NULL AND (k.expires_ms IS NULL OR k.expires_ms > ?3)",
      {account, key_id, now_ms});
  return !rows.empty();
}

bool revoke_key_row(sql::Transaction& transaction, const std::string& account, const std::string& key_id,
                    std::int64_t now_ms) {
  const sql::Rows rows = transaction.execute(
      "UPDATE api_keys SET revoked_ms = COALESCE(revoked_ms, ?3) WHERE account = ?1 AND key_id = ?2 RETURNING key_id",
      {account, key_id, now_ms});
  return !rows.empty();
}

}  // namespace tonearm::state
