// The admin interface: accounts, keys, sessions, call records (C11, C3, C8, C9).

#include "api/body.h"
#include "api/call.h"
#include "domain/api_key.h"
#include "table/admin_answers.h"

namespace tonearm::api {
namespace {

/// The plan that a checked body names.
Result<Plan> plan_of(const Call& call) {
  const auto body = parse_body(call.request, *call.route.body);
  if (!body) return body.error();
  return *find_plan(std::string_view(body->at("plan").as_string()));
}

template <class View, class T>
Answer answer_with(const table::ObjectType& type, const Call& call, const Result<T>& value) {
  if (!value) return value.error();
  return json_response(call.route.status, type, View{*value});
}

}  // namespace

Answer answer_accounts_list(Call& call) {
  return json_response(200, table::kAccountsType, table::AccountsView{call.accounts.list_accounts()});
}

Answer answer_accounts_create(Call& call) {
  const auto plan = plan_of(call);
  if (!plan) return plan.error();
  return json_response(201, table::kAccountType, call.accounts.create_account(*plan));
}

Answer answer_account_show(Call& call) {
  return answer_with<state::AccountInfo>(table::kAccountType, call, call.accounts.show_account(call.arguments[0]));
}

Answer answer_account_update(Call& call) {
  const auto plan = plan_of(call);
  if (!plan) return plan.error();
  return answer_with<state::AccountInfo>(table::kAccountType, call, call.accounts.set_plan(call.arguments[0], *plan));
}

Answer answer_account_delete(Call& call) {
  const auto deleted = call.accounts.delete_account(call.arguments[0]);
  if (!deleted) return deleted.error();
  return json_response(200, table::kDeletedType, table::DoneView{});
}

Answer answer_keys_list(Call& call) {
  return answer_with<table::KeysView>(table::kKeysType, call, call.accounts.list_keys(call.arguments[0]));
}

Answer answer_keys_create(Call& call) {
  const auto body = parse_body(call.request, *call.route.body);
  if (!body) return body.error();
  return answer_with<state::NewKey>(table::kNewKeyType, call, call.accounts.create_key(call.arguments[0]));
}

Answer answer_key_revoke(Call& call) {
  const auto revoked = call.accounts.revoke_key(call.arguments[0]);
  if (!revoked) return revoked.error();
  return json_response(200, table::kRevokedType, table::DoneView{});
}

Answer answer_sessions_create(Call& call) {
  const auto body = parse_body(call.request, *call.route.body);
  if (!body) return body.error();
  const auto* ttl = body->if_contains("ttl_s");
  const std::int64_t ttl_s = ttl == nullptr ? kSessionSecondsMax : ttl->as_int64();
  return answer_with<state::NewKey>(table::kNewKeyType, call, call.accounts.create_session(call.arguments[0], ttl_s));
}

Answer answer_calls(Call& call) {
  constexpr std::uint32_t kCallsDefault = 100;
  const auto calls = call.accounts.calls(call.arguments[0], call.values.number_or("limit", kCallsDefault));
  return answer_with<table::CallsView>(table::kCallsType, call, calls);
}

Answer answer_usage(Call& call) {
  return answer_with<table::UsageView>(table::kUsageType, call, call.accounts.usage(call.arguments[0]));
}

Answer answer_backup(Call& call) {
  if (!call.backup) {
    return Error{ErrorCode::invalid_request,
                 "The state of this server is no file of its own: back up its database with that database's means."};
  }
  call.accounts.flush();  // C7.6: what was counted until now is in the copy
  return Response{200, {{"Content-Type", "application/vnd.sqlite3"}, {"Cache-Control", "no-store"}}, {}, call.backup()};
}

}  // namespace tonearm::api
