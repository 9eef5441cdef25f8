#include "routes/account_routes.h"

#include <array>
#include <stdexcept>
#include <utility>

#include "files/open_file.h"
#include "json/writer.h"
#include "routes/proxy_routes.h"

namespace tonearm::web {
namespace {

constexpr std::size_t kKeysMax = 5;  // KEY-5

Response invalid_request(std::string_view message) { return error_answer(400, "invalid_request", message); }

/// Returns the plan of the person, or nothing if the API has no such account or does not answer.
std::optional<std::string> plan_of(Site& site, const Person& person) {
  try {
    auto account = Accounts(site.backend).find(person.account);
    return account ? std::optional(std::move(account->plan)) : std::nullopt;
  } catch (const std::runtime_error& failure) {
    site.log.warning(std::string("cannot look up the plan of an account: ") + failure.what());
    return std::nullopt;
  }
}

Response session_answer(Site& site, int status, const std::string& token, const std::optional<Person>& person) {
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
  out.end_object();
  return json_answer(status, out.take());
}

Response with_cookies(Response response, Headers cookies) {
  for (auto& header : cookies) response.headers.push_back(std::move(header));
  return response;
}

Response start_anonymous_session(Site& site, const RequestContext& context) {
  auto issued = site.sessions.issue_anonymous(context.transport);
  return with_cookies(session_answer(site, 200, issued.token, std::nullopt), std::move(issued.cookies));
}

struct Credentials {
  std::string name;
  std::string password;
};

std::optional<Credentials> credentials_of(const RequestContext& context) {
  const auto body = read_strings(context.request.body, {"name", "password"});
  if (!body) return std::nullopt;
  return Credentials{string_of(*body, "name"), string_of(*body, "password")};
}

Response password_changed() {
  return error_answer(401, "wrong_password", "The password has just been changed elsewhere.");
}

/// Starts a session and ends the previous one of the browser.
Response start_session(Site& site, const RequestContext& context, int status, const Person& person) {
  const auto before = site.sessions.find(context.request.head, context.transport);
  auto issued = site.sessions.start(context.request.head, person, context.transport);
  if (!issued) return password_changed();
  if (before) {
    site.sessions.end(before->session_id);
    site.session_keys.revoke(before->session_id);
  }
  return with_cookies(session_answer(site, status, issued->token, person), std::move(issued->cookies));
}

/// Creates the API account if the person has none, which also completes an interrupted sign-up.
void ensure_account(Site& site, Person& person) {
  if (!person.account.empty()) return;
  person.account = Accounts(site.backend).create("free").id;
  site.people.set_account(person.name, person.account);
}

/// The result of a password check: either the person or the response to send.
struct PasswordCheck {
  std::optional<Response> rejection;
  std::optional<Person> person;
};

/// Checks the password of a person. A failure delays the next attempts.
PasswordCheck check_password(Site& site, const RequestContext& context, const Credentials& credentials) {
  const auto now_ms = site.clock.now_ms();
  const auto device = site.sessions.known_device(context.request.head, credentials.name, context.transport);
  const LoginThrottle::Attempt attempt{name_key(credentials.name), context.visitor_key, device.has_value(),
                                       device.value_or("")};
  if (const auto wait_s = site.login_throttle.retry_after_s(attempt, now_ms); wait_s > 0) {
    return {error_answer(429, "rate_limited", "Too many wrong passwords. Try again later.", wait_s), std::nullopt};
  }
  auto person = site.people.find(credentials.name);
  const bool is_active = person && !person->is_being_deleted;
  if (!site.passwords.verify(is_active ? person->password : "", credentials.password)) {
    site.login_throttle.record_failure(attempt, now_ms);
    return {error_answer(401, "wrong_password", "The name or the password is wrong."), std::nullopt};
  }
  site.login_throttle.record_success(attempt);
  return {std::nullopt, std::move(person)};
}

/// Deletes the API account and then the person. After a crash, `resume_deletions` completes the rest.
void delete_person(Site& site, const Person& person) {
  if (!person.account.empty()) Accounts(site.backend).remove(person.account);
  site.people.remove(person.name);
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
  Person person{std::move(credentials->name), site.passwords.hash(credentials->password), ""};
  if (site.people.add(person, site.clock.now_ms()) == PeopleStore::Added::name_is_taken) {
    return error_answer(409, "name_taken", "This name is taken. Choose another one.");
  }
  try {
    ensure_account(site, person);
  } catch (const std::runtime_error&) {
    site.people.remove(person.name);
    throw;
  }
  return start_session(site, context, 201, person);
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

Response set_plan(Site& site, const SiteCall& call) {
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
  const auto before = std::exchange(person.password, site.passwords.hash(next));
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
