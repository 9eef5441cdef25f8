#include "routes/password_checks.h"

#include <limits>
#include <stdexcept>
#include <utility>

#include "files/open_file.h"
#include "json/writer.h"

namespace tonearm::web {
namespace {

/// Returns the plan of the person, or nothing if the API has no such account or does not answer.
std::optional<std::string> plan_of(Site& site, const Person& person) {
  try {
    return Accounts(site.backend).plan(person.account);
  } catch (const std::runtime_error& failure) {
    site.log.warning(std::string("cannot look up the plan of an account: ") + failure.what());
    return std::nullopt;
  }
}

}  // namespace

Response session_answer(Site& site, int status, const std::string& token, const std::optional<Person>& person,
                        const std::string& recovery_code) {
  json::Writer out;
  out.begin_object();
  out.boolean("signed_in", person.has_value());
  out.string("csrf", site.sessions.csrf_of(token));
  out.key("account");
  if (person) {
    out.begin_object();
    out.string("name", person->name);
    out.key("plan");
    const auto plan = plan_of(site, *person);
    plan ? out.string(*plan) : out.null();
    out.end_object();
  } else {
    out.null();
  }
  out.boolean("plan_choice", site.plan_choice == PlanChoice::people);
  out.string("catalog_version", site.backend.catalog_version());
  out.key("offline");
  const auto snapshot = site.folders.catalog.empty() ? nullptr : OpenFile::open(site.folders.catalog);
  if (snapshot) {
    out.begin_object();
    out.integer("size", snapshot->size());
    out.end_object();
  } else {
    out.null();
  }
  if (!recovery_code.empty()) out.string("recovery_code", recovery_code);
  out.end_object();
  return json_answer(status, out.take());
}

Response with_cookies(Response response, Headers cookies) {
  for (auto& header : cookies) response.headers.push_back(std::move(header));
  return response;
}

void ensure_account(Site& site, Person& person) {
  if (!person.account.empty()) return;
  person.account = Accounts(site.backend).create("free").id;
  site.people.set_account(person.name, person.account);
}

LoginThrottle::Attempt attempt_of(Site& site, const RequestContext& context, std::string_view name) {
  const auto device = site.sessions.known_device(context.request.head, name, context.transport);
  return {name_key(name), context.visitor_key, device.has_value(), device.value_or("")};
}

std::optional<Response> throttle_attempt(Site& site, const LoginThrottle::Attempt& attempt) {
  const auto wait_s = site.login_throttle.acquire(attempt, site.clock.now_ms());
  if (wait_s == 0) return std::nullopt;
  return error_answer(429, "rate_limited", "Too many passwords. Try again later.", wait_s);
}

std::string issue_recovery_code(Site& site, std::string_view name) {
  auto code = new_recovery_code(site.random);
  site.recovery.set_code(name, RecoveryStore::Issuer::person, recovery_hash(site.hashing, code),
                         std::numeric_limits<std::int64_t>::max());
  return code;
}

Response password_changed() {
  return error_answer(401, "wrong_password", "The password has just been changed elsewhere.");
}

Response too_many_hashes() {
  return error_answer(429, "rate_limited", "Another password of yours is being checked. Try again later.", 1);
}

std::optional<std::string> hash_password(Site& site, const RequestContext& context, std::string_view password) {
  const auto slot = site.passwords.wait_for_slot(context.visitor_key);
  return slot ? std::optional(slot->hash(password)) : std::nullopt;
}

Response start_session(Site& site, const RequestContext& context, int status, const Person& person,
                       const std::string& recovery_code) {
  const auto before = site.sessions.find(context.request.head, context.transport);
  auto issued = site.sessions.start(context.request.head, person, context.transport);
  if (!issued) return password_changed();
  if (before) {
    site.sessions.end(before->session_id);
    issued->ended.push_back(before->session_id);
  }
  for (const auto& session : issued->ended) site.session_keys.revoke(session);
  return with_cookies(session_answer(site, status, issued->token, person, recovery_code), std::move(issued->cookies));
}

PasswordCheck check_password(Site& site, const RequestContext& context, const Credentials& credentials) {
  const auto now_ms = site.clock.now_ms();
  const auto attempt = attempt_of(site, context, credentials.name);
  if (auto response = throttle_attempt(site, attempt)) return {*std::move(response), std::nullopt};
  auto person = site.people.find(credentials.name);
  const bool is_active = person && !person->is_being_deleted;
  const auto slot = site.passwords.wait_for_slot(context.visitor_key);
  if (!slot) return {too_many_hashes(), std::nullopt};
  if (!slot->verify(is_active ? person->password : "", credentials.password)) {
    site.login_throttle.record_failure(attempt, now_ms);
    return {error_answer(401, "wrong_password", "The name or the password is wrong."), std::nullopt};
  }
  site.login_throttle.record_success(attempt, now_ms);
  return {std::nullopt, std::move(person)};
}

}  // namespace tonearm::web
