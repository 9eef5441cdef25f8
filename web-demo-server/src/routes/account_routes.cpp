#include "routes/account_routes.h"

#include <array>
#include <stdexcept>
#include <utility>

#include "json/writer.h"
#include "routes/password_checks.h"
#include "routes/proxy_routes.h"

namespace tonearm::web {
namespace {

constexpr std::size_t kKeysMax = 5;  // KEY-5

Response invalid_request(std::string_view message) { return error_answer(400, "invalid_request", message); }

Response start_anonymous_session(Site& site, const RequestContext& context) {
  auto issued = site.sessions.issue_anonymous(context.transport);
  return with_cookies(session_answer(site, 200, issued.token, std::nullopt), std::move(issued.cookies));
}

std::optional<Credentials> credentials_of(const RequestContext& context) {
  const auto body = read_strings(context.request.body, {"name", "password"});
  if (!body) return std::nullopt;
  return Credentials{string_of(*body, "name"), string_of(*body, "password")};
}

/// Deletes the API account and then the person. After a crash, `resume_deletions` completes the rest.
void delete_person(Site& site, const Person& person) {
  if (!person.account.empty()) Accounts(site.backend).remove(person.account);
  site.people.remove(person);
}

}  // namespace

Response get_session(Site& site, const SiteCall& call) {
  const auto& context = call.context;
  const auto& head = context.request.head;
  if (const auto token = Sessions::token_of(head, context.transport)) {
    const auto signed_in = site.sessions.find(head, context.transport);
    return session_answer(site, 200, *token, signed_in ? std::optional(signed_in->person) : std::nullopt);
  }
  return start_anonymous_session(site, context);
}

Response sign_up(Site& site, const SiteCall& call) {
  const auto& context = call.context;
  auto credentials = credentials_of(context);
  if (!credentials) return invalid_request("The body must be {\"name\": string, \"password\": string}.");
  if (const auto error = name_error(credentials->name); !error.empty()) return invalid_request(error);
  if (const auto error = password_error(credentials->password, credentials->name); !error.empty()) {
    return invalid_request(error);
  }
  if (const auto wait_s = site.sign_up_throttle.acquire(context.visitor_key, site.clock.now_ms()); wait_s > 0) {
    return error_answer(429, "rate_limited", "Too many new accounts. Try again later.", wait_s);
  }
  auto hash = hash_password(site, context, credentials->password);
  if (!hash) return too_many_hashes();
  Person person{std::move(credentials->name), *std::move(hash), ""};
  if (site.people.add(person, site.clock.now_ms()) == PeopleStore::Added::name_is_taken) {
    return error_answer(409, "name_taken", "This name is taken. Choose another one.");
  }
  try {
    ensure_account(site, person);
  } catch (const std::runtime_error&) {
    site.people.remove(person);
    throw;
  }
  return start_session(site, context, 201, person, issue_recovery_code(site, person.name));
}

Response sign_in(Site& site, const SiteCall& call) {
  const auto& context = call.context;
  const auto credentials = credentials_of(context);
  if (!credentials) return invalid_request("The body must be {\"name\": string, \"password\": string}.");
  auto check = check_password(site, context, *credentials);
  if (check.rejection) return *std::move(check.rejection);
  ensure_account(site, *check.person);
  return start_session(site, context, 200, *check.person);
}

Response sign_out(Site& site, const SiteCall& call) {
  const auto& context = call.context;
  if (const auto signed_in = site.sessions.find(context.request.head, context.transport)) {
    site.sessions.end(signed_in->session_id);
    site.session_keys.revoke(signed_in->session_id);
  }
  return start_anonymous_session(site, context);
}

Response list_keys(Site& site, const SiteCall& call) {
  const auto& account = call.signed_in->person.account;
  Accounts accounts(site.backend);
  const auto keys = accounts.active_keys(account);
  if (!keys) return account_gone();
  const auto calls = accounts.last_calls(account);
  json::Writer out;
  out.begin_object();
  out.key("keys");
  out.begin_array();
  for (const auto& key : *keys) {
    out.begin_object();
    out.string("key_id", key.key_id);
    out.string("created", key.created);
    out.key("last_used");
    const auto used =
        std::find_if(calls.begin(), calls.end(), [&](const auto& record) { return record.key_id == key.key_id; });
    used == calls.end() ? out.null() : out.string(used->created);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return json_answer(200, out.take());
}

Response create_key(Site& site, const SiteCall& call) {
  const auto& account = call.signed_in->person.account;
  Accounts accounts(site.backend);
  const auto keys = accounts.active_keys(account);
  if (!keys) return account_gone();
  const auto made = keys->size() < kKeysMax ? accounts.create_key(account) : std::nullopt;
  if (!made) return error_answer(409, "key_limit", "You already have five keys. Revoke one first.");
  json::Writer out;
  out.begin_object();
  out.string("key_id", made->key_id);
  out.string("key", made->key);
  out.end_object();
  return json_answer(201, out.take());
}

Response revoke_key(Site& site, const SiteCall& call) {
  const auto& account = call.signed_in->person.account;
  const std::string key_id(call.context.path.substr(call.context.path.rfind('/') + 1));
  Accounts accounts(site.backend);
  const auto keys = accounts.active_keys(account);
  if (!keys) return account_gone();
  const auto is_same = [&](const auto& key) { return key.key_id == key_id; };
  if (std::none_of(keys->begin(), keys->end(), is_same)) {
    return error_answer(404, "not_found", "This key does not exist.");
  }
  accounts.revoke(key_id);
  return json_answer(200, R"({"revoked":true})");
}

/// WEB-27
Response set_plan(Site& site, const SiteCall& call) {
  if (site.plan_choice == PlanChoice::operator_only) {
    return error_answer(403, "forbidden", "Only the operator of this site can change a plan.");
  }
  const auto body = read_strings(call.context.request.body, {"plan"});
  const auto plan = body ? string_of(*body, "plan") : "";
  if (plan != "free" && plan != "pro") return invalid_request("The body must be {\"plan\": \"free\" or \"pro\"}.");
  if (!Accounts(site.backend).set_plan(call.signed_in->person.account, plan)) return account_gone();
  return json_answer(200, R"({"plan":")" + plan + "\"}");
}

/// WEB-22
Response change_password(Site& site, const SiteCall& call) {
  const auto& context = call.context;
  const auto body = read_strings(context.request.body, {"password", "new_password"});
  if (!body) return invalid_request("The body must be {\"password\": string, \"new_password\": string}.");
  const auto& name = call.signed_in->person.name;
  const auto next = string_of(*body, "new_password");
  if (const auto error = password_error(next, name); !error.empty()) return invalid_request(error);
  auto check = check_password(site, context, {name, string_of(*body, "password")});
  if (check.rejection) return *std::move(check.rejection);
  auto person = *std::move(check.person);
  auto hash = hash_password(site, context, next);
  if (!hash) return too_many_hashes();
  const auto before = std::exchange(person.password, *std::move(hash));
  const auto ended = site.people.set_password(name, before, person.password);
  if (!ended) return password_changed();
  for (const auto& session : *ended) site.session_keys.revoke(session);
  return start_session(site, context, 200, person);
}

Response delete_account(Site& site, const SiteCall& call) {
  const auto& context = call.context;
  const auto& signed_in = *call.signed_in;
  const auto body = read_strings(context.request.body, {"password"});
  if (!body) return invalid_request("The body must be {\"password\": string}.");
  auto check = check_password(site, context, {signed_in.person.name, string_of(*body, "password")});
  if (check.rejection) return *std::move(check.rejection);
  site.people.begin_deletion(signed_in.person.name);
  site.session_keys.revoke(signed_in.session_id);
  try {
    delete_person(site, signed_in.person);
  } catch (const std::runtime_error& failure) {
    site.log.warning(std::string("the deletion of an account will be retried: ") + failure.what());
  }
  auto issued = site.sessions.issue_anonymous(context.transport);
  return with_cookies(json_answer(200, R"({"deleted":true})"), std::move(issued.cookies));
}

void resume_deletions(Site& site) {
  for (const auto& person : site.people.pending_deletions()) delete_person(site, person);
}

}  // namespace tonearm::web
