#include "upstream/backend.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <stdexcept>

#include "messages/message.h"

namespace tonearm::web {
namespace {

constexpr int kCallsScanned = 1'000;
constexpr std::chrono::seconds kPlanTime{10};
constexpr std::size_t kPlansMax = 10'000;
constexpr std::chrono::milliseconds kProbeTime{5'000};

std::string account_path(const std::string& account) { return "/admin/accounts/" + account; }

[[noreturn]] void throw_unexpected(const ClientResponse& response, std::string_view what) {
  throw std::runtime_error("the admin interface answered " + std::to_string(response.status) + " to " +
                           std::string(what));
}

Account account_of(const ClientResponse& response) {
  const auto object = read_object(response.body);
  return {string_of(object, "account"), string_of(object, "plan")};
}

NewKey key_of(const ClientResponse& response) {
  const auto object = read_object(response.body);
  return {string_of(object, "key_id"), string_of(object, "key")};
}

const boost::json::array& array_of(const boost::json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  if (value == nullptr || !value->is_array()) throw std::runtime_error("a response of the admin interface has no list");
  return value->get_array();
}

bool is_null(const boost::json::object& object, std::string_view name) {
  const auto* value = object.if_contains(name);
  return value != nullptr && value->is_null();
}

}  // namespace

Backend::Backend(const Options& options)
    : api_(options.api, {options.ca_file}),
      admin_(options.admin, {options.ca_file}),
      probes_(options.api, {.ca_file = options.ca_file, .idle_max = 1, .time = kProbeTime}),
      admin_token_(options.admin_token) {}

ClientResponse Backend::send(native::ClientPool& pool, const ClientRequest& request) {
  const auto sent = Steady::now();
  try {
    auto response = pool.send(request);
    if (&pool != &admin_) last_answer_ = Steady::now();
    return response;
  } catch (const native::ClientTimeout&) {
    // An API that answered others meanwhile is not silent: only this call is slow.
    if (last_answer_.load() < sent) is_suspended_ = true;
    throw;
  }
}

ClientResponse Backend::probe(const ClientRequest& request) { return send(probes_, request); }

ClientResponse Backend::send_to_api(const ClientRequest& request) {
  if (is_suspended_) throw std::runtime_error("the API does not answer");
  auto response = send(api_, request);
  if (const auto* version = find_header(response.headers, "Tonearm-Catalog")) {
    const std::lock_guard lock(mutex_);
    catalog_version_ = *version;
  }
  return response;
}

ClientResponse Backend::send_to_admin(std::string_view method, std::string_view path, std::string_view body) {
  if (is_suspended_) throw std::runtime_error("the API does not answer");
  return send(admin_, {std::string(method), std::string(path), admin_token_, std::string(body)});
}

std::optional<std::string> Backend::remembered_plan(const std::string& account) const {
  const std::lock_guard lock(mutex_);
  const auto found = plans_.find(account);
  const bool is_current = found != plans_.end() && found->second.until > Steady::now();
  return is_current ? std::optional(found->second.name) : std::nullopt;
}

void Backend::remember_plan(const std::string& account, const std::string& plan) {
  const auto now = Steady::now();
  const std::lock_guard lock(mutex_);
  if (plans_.size() >= kPlansMax) std::erase_if(plans_, [now](const auto& entry) { return entry.second.until <= now; });
  if (plans_.size() < kPlansMax) plans_[account] = {plan, now + kPlanTime};
}

void Backend::forget_plan(const std::string& account) {
  const std::lock_guard lock(mutex_);
  plans_.erase(account);
}

std::string Backend::catalog_version() const {
  const std::lock_guard lock(mutex_);
  return catalog_version_;
}

Account Accounts::create(std::string_view plan) {
  const auto response = backend_.send_to_admin("POST", "/admin/accounts", R"({"plan":")" + std::string(plan) + "\"}");
  if (response.status != 201) throw_unexpected(response, "the creation of an account");
  return account_of(response);
}

std::optional<Account> Accounts::find(const std::string& account) {
  const auto response = backend_.send_to_admin("GET", account_path(account));
  if (response.status == 404) return std::nullopt;
  if (response.status != 200) throw_unexpected(response, "the lookup of an account");
  return account_of(response);
}

std::optional<std::string> Accounts::plan(const std::string& account) {
  if (auto known = backend_.remembered_plan(account)) return known;
  auto found = find(account);
  if (!found) return std::nullopt;
  backend_.remember_plan(account, found->plan);
  return std::move(found->plan);
}

std::optional<Account> Accounts::set_plan(const std::string& account, std::string_view plan) {
  const auto body = R"({"plan":")" + std::string(plan) + "\"}";
  const auto response = backend_.send_to_admin("PATCH", account_path(account), body);
  backend_.forget_plan(account);
  if (response.status == 404) return std::nullopt;
  if (response.status != 200) throw_unexpected(response, "a change of plan");
  return account_of(response);
}

void Accounts::remove(const std::string& account) {
  backend_.forget_plan(account);
  const auto response = backend_.send_to_admin("DELETE", account_path(account));
  if (response.status != 200 && response.status != 404) throw_unexpected(response, "the deletion of an account");
}

std::optional<NewKey> Accounts::create_key(const std::string& account) {
  const auto response = backend_.send_to_admin("POST", account_path(account) + "/keys", "{}");
  if (response.status == 404 || response.status == 400) return std::nullopt;
  if (response.status != 201) throw_unexpected(response, "the creation of a key");
  return key_of(response);
}

std::optional<NewKey> Accounts::create_session_key(const std::string& account, std::int64_t ttl_s) {
  const auto body = "{\"ttl_s\":" + std::to_string(ttl_s) + "}";
  const auto response = backend_.send_to_admin("POST", account_path(account) + "/sessions", body);
  if (response.status == 404) backend_.forget_plan(account);
  if (response.status == 404) return std::nullopt;
  if (response.status != 201) throw_unexpected(response, "the creation of a session key");
  return key_of(response);
}

std::optional<std::vector<Accounts::Key>> Accounts::active_keys(const std::string& account) {
  const auto response = backend_.send_to_admin("GET", account_path(account) + "/keys");
  if (response.status == 404) return std::nullopt;
  if (response.status != 200) throw_unexpected(response, "the list of keys");
  const auto object = read_object(response.body);
  std::vector<Key> keys;
  for (const auto& value : array_of(object, "keys")) {
    const auto& key = value.as_object();
    if (key.at("session").as_bool() || !is_null(key, "revoked")) continue;
    keys.push_back({string_of(key, "key_id"), string_of(key, "created")});
  }
  return keys;
}

void Accounts::revoke(const std::string& key_id) {
  const auto response = backend_.send_to_admin("DELETE", "/admin/keys/" + key_id);
  if (response.status != 200 && response.status != 404) throw_unexpected(response, "the revocation of a key");
}

std::vector<Accounts::Key> Accounts::last_calls(const std::string& account) {
  const auto path = account_path(account) + "/calls?limit=" + std::to_string(kCallsScanned);
  const auto response = backend_.send_to_admin("GET", path);
  if (response.status != 200) throw_unexpected(response, "the list of calls");
  const auto object = read_object(response.body);
  std::vector<Key> last;
  for (const auto& value : array_of(object, "calls")) {
    const auto& call = value.as_object();
    auto key_id = string_of(call, "key_id");
    const auto is_same = [&](const Key& key) { return key.key_id == key_id; };
    if (std::none_of(last.begin(), last.end(), is_same)) last.push_back({std::move(key_id), string_of(call, "at")});
  }
  return last;
}

}  // namespace tonearm::web
