#include "state/account_copy.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "domain/api_key.h"
#include "state/account_rows.h"
#include "state/columns.h"
#include "state/store_time.h"
#include "tonearm/message.h"

namespace tonearm::state {

namespace {

constexpr std::uint32_t kCopyLayout = 2;
constexpr std::size_t kIdBytesMax = 64;
constexpr std::size_t kPlanBytesMax = 16;
constexpr std::uint32_t kKeysMax = 100'000;

/// What a copy holds.
struct AccountCopy {
  std::string account;
  Plan plan = Plan::free;
  std::int64_t created_ms = 0;
  std::int64_t number = 0;  // greater than those of all copies made before
  std::vector<KeyRow> keys;
};

std::string write_copy(const AccountCopy& copy) {
  MessageWriter out;
  out.number(kCopyLayout);
  out.text(copy.account);
  out.text(kPlanNames[static_cast<std::size_t>(copy.plan)]);
  out.integer(copy.created_ms);
  out.integer(copy.number);
  out.number(copy.keys.size());
  for (const KeyRow& key : copy.keys) {
    out.text(key.info.key_id);
    out.bytes(std::string(key.hash.begin(), key.hash.end()));
    out.number(key.info.session ? 1 : 0);
    out.integer(key.info.created_ms);
    out.integer(key.info.expires_ms.value_or(0));
  }
  return out.take();
}

KeyRow read_key_row(MessageReader& in) {
  KeyRow key;
  key.info.key_id = in.text(kIdBytesMax);
  const auto hash = in.bytes(key.hash.size());
  std::transform(hash.begin(), hash.end(), key.hash.begin(), [](char byte) { return static_cast<std::uint8_t>(byte); });
  key.info.session = in.number() != 0;
  key.info.created_ms = in.integer();
  const std::int64_t expires_ms = in.integer();
  if (expires_ms != 0) key.info.expires_ms = expires_ms;
  return key;
}

std::optional<AccountCopy> read_copy(std::string_view bytes) {
  MessageReader in(bytes);
  if (in.number() != kCopyLayout) return std::nullopt;
  AccountCopy copy;
  copy.account = in.text(kIdBytesMax);
  const std::optional<Plan> plan = find_plan(in.text(kPlanBytesMax));
  copy.created_ms = in.integer();
  copy.number = in.integer();
  for (std::uint32_t left = in.count(kKeysMax); left > 0 && !in.faulty(); --left) {
    copy.keys.push_back(read_key_row(in));
  }
  if (!in.ended_well() || !plan || !locate_account_id(copy.account)) return std::nullopt;
  copy.plan = *plan;
  return copy;
}

/// 0: the account is not there.
std::int64_t copy_number(sql::Transaction& transaction, const std::string& account) {
  const sql::Rows rows = transaction.execute("SELECT copy_number FROM accounts WHERE account = ?1", {account});
  return rows.empty() ? 0 : integer_at(rows[0], 0);
}

std::string copy_of(sql::Transaction& transaction, const std::string& account, std::int64_t now_ms) {
  const auto info = find_account(transaction, account);
  if (!info) return {};
  return write_copy({account, info->plan, info->created_ms, copy_number(transaction, account),
                     keys_in_force(transaction, account, now_ms)});
}

}  // namespace

void note_change(sql::Transaction& transaction, const std::string& account) {
  transaction.execute("UPDATE accounts SET copy_number = copy_number + 1 WHERE account = ?1", {account});
  transaction.execute(
      "INSERT INTO account_changes (account, change_number) VALUES (?1, 1)"
      " ON CONFLICT (account) DO UPDATE SET change_number = account_changes.change_number + 1",
      {account});
}

std::optional<AccountChange> next_change(sql::Store& store, Clock& clock, const std::string& after) {
  std::optional<AccountChange> change;
  store.transact([&](sql::Transaction& transaction) {
    change.reset();
    const sql::Rows rows = transaction.execute(
        "SELECT account, change_number FROM account_changes WHERE account > ?1 ORDER BY account LIMIT 1", {after});
    if (rows.empty()) return;
    const std::string& account = text_at(rows[0], 0);
    change = AccountChange{account, integer_at(rows[0], 1), copy_of(transaction, account, time_of(transaction, clock))};
  });
  return change;
}

void forget_change(sql::Store& store, const AccountChange& change) {
  store.transact([&](sql::Transaction& transaction) {
    transaction.execute("DELETE FROM account_changes WHERE account = ?1 AND change_number = ?2",
                        {change.account, change.number});
  });
}

TakenCopy take_copy(sql::Store& store, std::string_view bytes) {
  const auto copy = read_copy(bytes);
  if (!copy) return TakenCopy::faulty;
  auto taken = TakenCopy::taken;
  store.transact([&](sql::Transaction& transaction) {
    taken = copy_number(transaction, copy->account) > copy->number ? TakenCopy::older : TakenCopy::taken;
    if (taken == TakenCopy::older) return;
    insert_account(transaction, copy->account, copy->plan, copy->created_ms);
    update_plan(transaction, copy->account, copy->plan);
    transaction.execute("UPDATE accounts SET copy_number = ?2 WHERE account = ?1", {copy->account, copy->number});
    transaction.execute("DELETE FROM api_keys WHERE account = ?1", {copy->account});
    for (const KeyRow& key : copy->keys) insert_key(transaction, copy->account, key);
  });
  return taken;
}

}  // namespace tonearm::state
