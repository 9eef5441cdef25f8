// The admin interface: accounts, keys, session keys, limits, call records, backup (docs/spec/admin.md).

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "api/resources/handlers.h"
#include "domain/api_key.h"
#include "table/admin_answers.h"
#include "text/unicode.h"

namespace tonearm::api {
namespace {

// ---- Error messages

Error invalid_idempotency_key() {
  return {ErrorCode::invalid_request, "Idempotency-Key must be one field of 1 to 255 visible ASCII characters."};
}
Error invalid_cursor(std::string_view cursor) {
  return {ErrorCode::invalid_parameter,
          "cursor must be the cursor of the previous answer; got \"" + text::quotable(cursor) + "\".", 0, "cursor"};
}
Error no_backup() {
  return {ErrorCode::invalid_request,
          "The state of this server is no file of its own: back up its database with that database's means."};
}

// ---- Answers

template <class View, class T>
Answer answer_with(const table::Type<View>& type, const Call& call, const Result<T>& value) {
  if (!value) return value.error();
  return json_response(call.route.status, type, View{*value});
}

/// Reads the Idempotency-Key of the request, or an empty one (ADMIN-9).
Result<std::string> idempotency_key(const Call& call) {
  constexpr std::size_t kBytesMax = 255;
  std::optional<std::string> only;
  for (const Header& header : call.request.head.headers) {
    if (!is_named(header, "Idempotency-Key")) continue;
    const auto is_visible = [](char c) { return c > ' ' && c <= '~'; };
    const bool is_valid = !only && !header.value.empty() && header.value.size() <= kBytesMax &&
                          std::all_of(header.value.begin(), header.value.end(), is_visible);
    if (!is_valid) return invalid_idempotency_key();
    only = header.value;
  }
  return only.value_or(std::string());
}

Answer answer_with_key(Call& call, const Result<state::NewKey>& key) {
  if (key) call.audit_created_id = key->key_id;
  return answer_with(table::kNewKeyType, call, key);
}

void set_audit_plan(Call& call, const table::PlanBody& body) {
  call.audit_detail = "plan=" + std::string(kPlanNames[static_cast<std::size_t>(body.plan)]);
}

// ---- Cursors

// A cursor is the creation time and the id of the last account of a page, such as "1768478400000-acc_0123456789abc", so
// that no account is skipped when another one is deleted between two pages.

std::string write_cursor(const state::AccountCursor& cursor) {
  return std::to_string(cursor.created_ms) + '-' + cursor.account;
}

std::optional<state::AccountCursor> read_cursor(std::string_view text) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  state::AccountCursor cursor;
  const auto [end, error] = std::from_chars(text.data(), text.data() + dash, cursor.created_ms);
  cursor.account = text.substr(std::min(dash + 1, text.size()));
  const bool is_number = error == std::errc{} && end == text.data() + dash;
  if (!is_number || cursor.created_ms < 0 || !parse_account_id(cursor.account)) return std::nullopt;
  return cursor;
}

}  // namespace

Answer answer_accounts_list(Call& call, const table::AccountsArguments& arguments) {
  state::AccountsQuery query{arguments.limit, {}};
  if (!arguments.cursor.empty()) {
    query.after = read_cursor(arguments.cursor);
    if (!query.after) return invalid_cursor(arguments.cursor);
  }
  const state::AccountsPage page = call.accounts.list_accounts(query);
  table::AccountsView view{page.accounts, page.total};
  if (page.after) view.cursor = write_cursor(*page.after);
  return json_response(200, table::kAccountsType, view);
}

Answer answer_accounts_create(Call& call, const table::PlanBody& body) {
  set_audit_plan(call, body);
  const auto key = idempotency_key(call);
  if (!key) return key.error();
  const auto account = call.accounts.create_account(body.plan, *key);
  if (account) call.audit_created_id = account->account;
  return answer_with(table::kAccountType, call, account);
}

Answer answer_account_show(Call& call, const table::AccountArguments& arguments) {
  return answer_with(table::kAccountType, call, call.accounts.show_account(arguments.account));
}

Answer answer_account_update(Call& call, const table::AccountArguments& arguments, const table::PlanBody& body) {
  set_audit_plan(call, body);
  return answer_with(table::kAccountType, call, call.accounts.set_plan(arguments.account, body.plan));
}

Answer answer_account_delete(Call& call, const table::AccountArguments& arguments) {
  const auto deleted = call.accounts.delete_account(arguments.account);
  if (!deleted) return deleted.error();
  return json_response(200, table::kDeletedType, {});
}

Answer answer_account_move(Call& call, const table::AccountArguments& arguments, const table::MoveBody& body) {
  call.audit_detail = "database=" + std::to_string(body.database);
  return answer_with(table::kAccountMoveType, call,
                     call.accounts.move_account(arguments.account, static_cast<std::size_t>(body.database)));
}

Answer answer_keys_list(Call& call, const table::AccountArguments& arguments) {
  return answer_with(table::kKeysType, call, call.accounts.list_keys(arguments.account));
}

Answer answer_keys_create(Call& call, const table::AccountArguments& arguments, const table::NoBody& /*body*/) {
  const auto key = idempotency_key(call);
  if (!key) return key.error();
  return answer_with_key(call, call.accounts.create_key(arguments.account, *key));
}

Answer answer_key_revoke(Call& call, const table::KeyArguments& arguments) {
  const auto revoked = call.accounts.revoke_key(arguments.key_id);
  if (!revoked) return revoked.error();
  return json_response(200, table::kRevokedType, {});
}

Answer answer_sessions_create(Call& call, const table::AccountArguments& arguments, const table::SessionBody& body) {
  call.audit_detail = "ttl_s=" + std::to_string(body.ttl_s);
  const auto key = idempotency_key(call);
  if (!key) return key.error();
  return answer_with_key(call, call.accounts.create_session_key(arguments.account, body.ttl_s, *key));
}

Answer answer_calls(Call& call, const table::CallsArguments& arguments) {
  return answer_with(table::kCallsType, call, call.call_log.calls(arguments.account, arguments.limit));
}

Answer answer_usage(Call& call, const table::AccountArguments& arguments) {
  return answer_with(table::kUsageType, call, call.call_log.usage(arguments.account));
}

Answer answer_limits(Call& call, const table::AccountArguments& arguments) {
  return answer_with(table::kLimitsType, call, call.accounts.limits(arguments.account));
}

Answer answer_limits_reset(Call& call, const table::AccountArguments& arguments) {
  return answer_with(table::kLimitsType, call, call.accounts.reset_limits(arguments.account));
}

Answer answer_backup(Call& call) {
  if (!call.backup) return no_backup();
  call.call_log.flush();  // LIMIT-9: the copy includes all calls that were counted until now
  return Response{200, {{"Content-Type", "application/vnd.sqlite3"}, {"Cache-Control", "no-store"}}, {}, call.backup()};
}

}  // namespace tonearm::api
