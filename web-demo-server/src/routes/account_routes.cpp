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

Response bad_body(std::string_view message) { return error_answer(400, "invalid_request", message); }

/// The plan of who is signed in; null where the API has no such account, or does not answer.
std::optional<std::string> plan_of(Site& site, const Person& person) {
  try {
    auto account = Accounts(site.backend).find(person.account);
    return account ? std::optional(std::move(account->plan)) : std::nullopt;
  } catch (const std::runtime_error& failure) {
    site.log.warning(std::string("the plan of an account is not known: ") + failure.what());
    return std::nullopt;
  }
}

Response session_answer(Site& site, int status, const std::string& token, const std::optional<Person>& person) {
  json::Writer out;
  out.begin_object();
  out.key("signed_in");
  out.boolean(person.has_value());
  out.key("csrf");
  out.string(site.sessions.csrf_of(token));
  out.key("account");
  if (person) {
    out.begin_object();
    out.key("name");
    out.string(person->name);
    out.key("plan");
    const auto plan = plan_of(site, *person);
    plan ? out.string(*plan) : out.null();
    out.end_object();
  } else {
    out.null();
  }
  out.key("catalog_version");
  out.string(site.backend.catalog_version());
  out.key("offline");
  const auto snapshot = site.folders.catalog.empty() ? nullptr : OpenFile::open(site.folders.catalog);
  if (snapshot) {
    out.begin_object();
    out.key("size");
    out.integer(static_cast<std::int64_t>(snapshot->size()));
    out.end_object();
  } else {
    out.null();
  }
  out.end_object();
  return json_answer(status, out.take());
}

Response with(Response response, Headers cookies) {
  for (auto& header : cookies) response.headers.push_back(std::move(header));
  return response;
}

Response get_session(Site& site, const Visit& visit) {
  const auto& head = visit.request.head;
  if (const auto token = Sessions::token_of(head, visit.transport)) {
    const auto signed_in = site.sessions.find(head, visit.transport);
    return session_answer(site, 200, *token, signed_in ? std::optional(signed_in->person) : std::nullopt);
  }
  auto begun = site.sessions.begin(visit.transport);
  return with(session_answer(site, 200, begun.token, std::nullopt), std::move(begun.cookies));
}

/// A sign-up or a sign-in.
struct Credentials {
  std::string name;
  std::string password;
};

std::optional<Credentials> credentials_of(const Visit& visit) {
  const auto body = read_strings(visit.request.body, {"name", "password"});
  if (!body) return std::nullopt;
  return Credentials{string_of(*body, "name"), string_of(*body, "password")};
}

Response changed_meanwhile() {
  return error_answer(401, "wrong_password", "The password was changed elsewhere meanwhile.");
}

/// Begins a session in the place of the one that the browser had.
Response begin_session(Site& site, const Visit& visit, int status, const Person& person) {
  const auto before = site.sessions.find(visit.request.head, visit.transport);
  auto begun = site.sessions.begin(visit.request.head, person, visit.transport);
  if (!begun) return changed_meanwhile();
  if (before) {
    site.sessions.end(before->session);
    site.session_keys.end(before->session);
  }
  return with(session_answer(site, status, begun->token, person), std::move(begun->cookies));
}

/// The account of a person who has none yet: also where an earlier sign-up broke off.
void give_account(Site& site, Person& person) {
  if (!person.account.empty()) return;
  person.account = Accounts(site.backend).create("free").id;
  site.people.set_account(person.name, person.account);
}

Response sign_up(Site& site, const Visit& visit) {
  auto credentials = credentials_of(visit);
  if (!credentials) return bad_body("The body must be {\"name\": string, \"password\": string}.");
  if (const auto objection = name_objection(credentials->name); !objection.empty()) return bad_body(objection);
  if (const auto objection = password_objection(credentials->password, credentials->name); !objection.empty()) {
    return bad_body(objection);
  }
  if (const auto wait_s = site.sign_ups.take(visit.visitor, site.clock.now_ms()); wait_s > 0) {
    return error_answer(429, "rate_limited", "Too many accounts were made from here; retry later.", wait_s);
  }
  Person person{std::move(credentials->name), site.passwords.hash(credentials->password), ""};
  if (site.people.add(person, site.clock.now_ms()) == PeopleStore::Added::name_is_taken) {
    return error_answer(409, "name_taken", "Somebody has this name already; choose another one.");
  }
  try {
    give_account(site, person);
  } catch (const std::runtime_error&) {
    site.people.remove(person.name);
    throw;
  }
  return begin_session(site, visit, 201, person);
}

/// Whether the password is the person's; a guess that is wrong slows down the next ones.
struct Verdict {
  std::optional<Response> refusal;
  std::optional<Person> person;
};

Verdict look_at(Site& site, const Visit& visit, const Credentials& credentials) {
  const auto now_ms = site.clock.now_ms();
  const auto device = site.sessions.known_device(visit.request.head, credentials.name, visit.transport);
  const Guesses::Guess guess{name_key(credentials.name), visit.visitor, device.has_value(), device.value_or("")};
  if (const auto wait_s = site.guesses.wait_s(guess, now_ms); wait_s > 0) {
    return {error_answer(429, "rate_limited", "Too many wrong passwords; wait a little.", wait_s), std::nullopt};
  }
  auto person = site.people.find(credentials.name);
  const bool is_here = person && !person->is_leaving;
  if (!site.passwords.is_right(is_here ? person->password : "", credentials.password)) {
    site.guesses.was_wrong(guess, now_ms);
    return {error_answer(401, "wrong_password", "The name or the password is wrong."), std::nullopt};
  }
  site.guesses.was_right(guess);
  return {std::nullopt, std::move(person)};
}

Response sign_in(Site& site, const Visit& visit) {
  const auto credentials = credentials_of(visit);
  if (!credentials) return bad_body("The body must be {\"name\": string, \"password\": string}.");
  auto verdict = look_at(site, visit, *credentials);
  if (verdict.refusal) return *std::move(verdict.refusal);
  give_account(site, *verdict.person);
  return begin_session(site, visit, 200, *verdict.person);
}

Response sign_out(Site& site, const Visit& visit) {
  if (const auto signed_in = site.sessions.find(visit.request.head, visit.transport)) {
    site.sessions.end(signed_in->session);
    site.session_keys.end(signed_in->session);
  }
  auto begun = site.sessions.begin(visit.transport);
  return with(session_answer(site, 200, begun.token, std::nullopt), std::move(begun.cookies));
}

Response list_keys(Site& site, const std::string& account) {
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
    out.key("key_id");
    out.string(key.key_id);
    out.key("created");
    out.string(key.created);
    out.key("last_used");
    const auto used =
        std::find_if(calls.begin(), calls.end(), [&](const auto& call) { return call.key_id == key.key_id; });
    used == calls.end() ? out.null() : out.string(used->created);
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return json_answer(200, out.take());
}

Response create_key(Site& site, const std::string& account) {
  Accounts accounts(site.backend);
  const auto keys = accounts.active_keys(account);
  if (!keys) return account_gone();
  const auto made = keys->size() < kKeysMax ? accounts.create_key(account) : std::nullopt;
  if (!made) return error_answer(409, "key_limit", "You have five keys already; revoke one first.");
  json::Writer out;
  out.begin_object();
  out.key("key_id");
  out.string(made->key_id);
  out.key("key");
  out.string(made->key);
  out.end_object();
  return json_answer(201, out.take());
}

Response revoke_key(Site& site, const std::string& account, const std::string& key_id) {
  Accounts accounts(site.backend);
  const auto keys = accounts.active_keys(account);
  if (!keys) return account_gone();
  const auto is_same = [&](const auto& key) { return key.key_id == key_id; };
  if (std::none_of(keys->begin(), keys->end(), is_same)) {
    return error_answer(404, "not_found", "You have no such key.");
  }
  accounts.revoke(key_id);
  return json_answer(200, R"({"revoked":true})");
}

Response set_plan(Site& site, const Visit& visit, const std::string& account) {
  const auto body = read_strings(visit.request.body, {"plan"});
  const auto plan = body ? string_of(*body, "plan") : "";
  if (plan != "free" && plan != "pro") return bad_body("The body must be {\"plan\": \"free\" or \"pro\"}.");
  if (!Accounts(site.backend).set_plan(account, plan)) return account_gone();
  return json_answer(200, R"({"plan":")" + plan + "\"}");
}

/// WEB-22
Response change_password(Site& site, const Visit& visit, const Sessions::SignedIn& signed_in) {
  const auto body = read_strings(visit.request.body, {"password", "new_password"});
  if (!body) return bad_body("The body must be {\"password\": string, \"new_password\": string}.");
  const auto& name = signed_in.person.name;
  const auto next = string_of(*body, "new_password");
  if (const auto objection = password_objection(next, name); !objection.empty()) return bad_body(objection);
  auto verdict = look_at(site, visit, {name, string_of(*body, "password")});
  if (verdict.refusal) return *std::move(verdict.refusal);
  auto person = *std::move(verdict.person);
  const auto before = std::exchange(person.password, site.passwords.hash(next));
  const auto ended = site.people.set_password(name, before, person.password);
  if (!ended) return changed_meanwhile();
  for (const auto& session : *ended) site.session_keys.end(session);
  return begin_session(site, visit, 200, person);
}

/// A crash after any step leaves what `finish_leaving` brings to its end.
void leave(Site& site, const Person& person) {
  if (!person.account.empty()) Accounts(site.backend).remove(person.account);
  site.people.remove(person.name);
}

Response delete_account(Site& site, const Visit& visit, const Sessions::SignedIn& signed_in) {
  const auto body = read_strings(visit.request.body, {"password"});
  if (!body) return bad_body("The body must be {\"password\": string}.");
  auto verdict = look_at(site, visit, {signed_in.person.name, string_of(*body, "password")});
  if (verdict.refusal) return *std::move(verdict.refusal);
  site.people.begin_leaving(signed_in.person.name);
  site.session_keys.end(signed_in.session);
  try {
    leave(site, signed_in.person);
  } catch (const std::runtime_error& failure) {
    site.log.warning(std::string("the deletion of an account goes on later: ") + failure.what());
  }
  auto begun = site.sessions.begin(visit.transport);
  return with(json_answer(200, R"({"deleted":true})"), std::move(begun.cookies));
}

std::optional<Response> answer_signed_in(Site& site, const Visit& visit) {
  constexpr std::string_view kKeys = "/site/keys/";
  const auto path = visit.path;
  const bool is_key = path.substr(0, kKeys.size()) == kKeys && path.size() > kKeys.size();
  if (path != "/site/keys" && path != "/site/plan" && path != "/site/account" && path != "/site/password" && !is_key) {
    return std::nullopt;
  }
  const auto signed_in = site.sessions.find(visit.request.head, visit.transport);
  if (!signed_in) return signed_out();
  const auto& account = signed_in->person.account;
  if (path == "/site/keys" && visit.reads()) return list_keys(site, account);
  if (path == "/site/keys" && visit.is("POST")) return create_key(site, account);
  if (is_key && visit.is("DELETE")) return revoke_key(site, account, std::string(path.substr(kKeys.size())));
  if (path == "/site/plan" && visit.is("PUT")) return set_plan(site, visit, account);
  if (path == "/site/password" && visit.is("POST")) return change_password(site, visit, *signed_in);
  if (path == "/site/account" && visit.is("DELETE")) return delete_account(site, visit, *signed_in);
  return error_answer(405, "method_not_allowed", "This route does not support the method.");
}

}  // namespace

std::optional<Response> answer_account(Site& site, const Visit& visit) {
  if (visit.path == "/site/session" && visit.reads()) return get_session(site, visit);
  if (visit.path == "/site/sign-up" && visit.is("POST")) return sign_up(site, visit);
  if (visit.path == "/site/sign-in" && visit.is("POST")) return sign_in(site, visit);
  if (visit.path == "/site/sign-out" && visit.is("POST")) return sign_out(site, visit);
  for (const std::string_view path : {"/site/session", "/site/sign-up", "/site/sign-in", "/site/sign-out"}) {
    if (visit.path == path) return error_answer(405, "method_not_allowed", "This route does not support the method.");
  }
  return answer_signed_in(site, visit);
}

void finish_leaving(Site& site) {
  for (const auto& person : site.people.leaving()) leave(site, person);
}

}  // namespace tonearm::web
