#pragma once
// Sends requests to the API and to its admin interface. No call waits for a silent API: after a timeout during which it
// answered nothing, each fails at once until a probe is answered (WEB-45). Safe for concurrent calls.

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "client/client_pool.h"

namespace tonearm::web {

using native::ClientRequest;
using native::ClientResponse;

class Backend {
 public:
  struct Options {
    native::ServerUrl api;
    native::ServerUrl admin;
    std::string admin_token;
    std::string ca_file;  // empty: the system's certificates
  };

  /// Throws std::runtime_error if the certificates cannot be read.
  explicit Backend(const Options& options);

  /// Throws std::runtime_error if there is no response, and at once while calls are suspended.
  ClientResponse send_to_api(const ClientRequest& request);
  /// Adds the token of the admin interface. Throws like `send_to_api`.
  ClientResponse send_to_admin(std::string_view method, std::string_view path, std::string_view body = {});

  /// Sends a request to the API with a short timeout, even while calls are suspended. Throws std::runtime_error if
  /// there is no response.
  ClientResponse probe(const ClientRequest& request);
  /// Whether calls fail at once, because the API did not answer one in time.
  bool is_suspended() const { return is_suspended_; }
  /// Allows calls again. Called after the API has answered a probe.
  void resume() { is_suspended_ = false; }

  /// The plan of an account, remembered for some seconds. Returns nothing if it is not remembered.
  std::optional<std::string> remembered_plan(const std::string& account) const;
  void remember_plan(const std::string& account, const std::string& plan);
  void forget_plan(const std::string& account);

  /// The catalog version of the last API response; empty before the first one.
  std::string catalog_version() const;

 private:
  using Steady = std::chrono::steady_clock;
  struct Plan {
    std::string name;
    Steady::time_point until;
  };

  ClientResponse send(native::ClientPool& pool, const ClientRequest& request);

  native::ClientPool api_;
  native::ClientPool admin_;
  native::ClientPool probes_;
  std::string admin_token_;
  std::atomic<bool> is_suspended_{false};
  std::atomic<Steady::time_point> last_answer_{Steady::time_point::min()};  // of the API
  mutable std::mutex mutex_;
  std::string catalog_version_;
  std::unordered_map<std::string, Plan> plans_;  // by account
};

/// An account of the API.
struct Account {
  std::string id;
  std::string plan;
};

struct NewKey {
  std::string key_id;
  std::string key;
};

/// The routes of the admin interface that the site uses. Each throws std::runtime_error for an unexpected response.
class Accounts {
 public:
  explicit Accounts(Backend& backend) : backend_(backend) {}

  Account create(std::string_view plan);
  /// `find`, `plan` and `set_plan` return nothing if the account does not exist.
  std::optional<Account> find(const std::string& account);
  /// May be some seconds old if somebody else changes the plan.
  std::optional<std::string> plan(const std::string& account);
  std::optional<Account> set_plan(const std::string& account, std::string_view plan);
  /// Succeeds if the account does not exist.
  void remove(const std::string& account);

  /// Returns nothing if the account does not exist or has the maximum number of keys.
  std::optional<NewKey> create_key(const std::string& account);
  std::optional<NewKey> create_session_key(const std::string& account, std::int64_t ttl_s);
  struct Key {
    std::string key_id;
    std::string created;
  };
  /// Returns the active API keys, oldest first, or nothing if the account does not exist.
  std::optional<std::vector<Key>> active_keys(const std::string& account);
  /// Succeeds if the key is already revoked.
  void revoke(const std::string& key_id);
  /// Returns the ids of recently used keys, with the time of the last call in `created`.
  std::vector<Key> last_calls(const std::string& account);

 private:
  Backend& backend_;
};

}  // namespace tonearm::web
