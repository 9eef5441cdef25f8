#include "routes/recovery_routes.h"

#include <utility>

#include "json/writer.h"
#include "routes/password_checks.h"

namespace tonearm::web {

Response create_recovery_code(Site& site, const SiteCall& call) {
  const auto body = read_strings(call.context.request.body, {"password"});
  if (!body) return error_answer(400, "invalid_request", "The body must be {\"password\": string}.");
  const auto& name = call.signed_in->person.name;
  auto check = check_password(site, call.context, {name, string_of(*body, "password")});
  if (check.rejection) return *std::move(check.rejection);
  json::Writer out;
  out.begin_object();
  out.string("recovery_code", issue_recovery_code(site, name));
  out.end_object();
  return json_answer(200, out.take());
}

Response recover(Site& site, const SiteCall& call) {
  const auto& context = call.context;
  const auto body = read_strings(context.request.body, {"name", "code", "new_password"});
  if (!body) {
    return error_answer(400, "invalid_request",
                        "The body must be {\"name\": string, \"code\": string, \"new_password\": string}.");
  }
  const auto name = string_of(*body, "name");
  const auto next = string_of(*body, "new_password");
  if (const auto error = password_error(next, name); !error.empty()) {
    return error_answer(400, "invalid_request", error);
  }
  const auto now_ms = site.clock.now_ms();
  const auto attempt = attempt_of(site, context, name);
  if (auto response = throttle_attempt(site, attempt)) return *std::move(response);
  const auto code = recovery_hash(site.hashing, string_of(*body, "code"));
  const auto wrong_code = [&] {
    site.login_throttle.record_failure(attempt, now_ms);
    return error_answer(401, "wrong_code", "The name or the recovery code is wrong.");
  };
  if (!site.recovery.is_valid(name, code, now_ms)) return wrong_code();
  auto person = site.people.find(name);
  auto hash = hash_password(site, context, next);
  if (!hash) return too_many_hashes();
  const auto next_code = new_recovery_code(site.random);
  const auto ended = site.recovery.use(name, code, {*hash, recovery_hash(site.hashing, next_code)}, now_ms);
  if (!ended || !person) return wrong_code();
  site.login_throttle.record_success(attempt, now_ms);
  for (const auto& session : *ended) site.session_keys.revoke(session);
  person->password = *std::move(hash);
  ensure_account(site, *person);
  return start_session(site, context, 200, *person, next_code);
}

}  // namespace tonearm::web
