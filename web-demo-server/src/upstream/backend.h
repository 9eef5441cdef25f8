#pragma once
// Sends requests to the API and to its admin interface. Safe for concurrent calls.

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

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

  /// Throws std::runtime_error if there is no response.
  ClientResponse send_to_api(const ClientRequest& request);
  /// Adds the token of the admin interface. Throws std::runtime_error if there is no response.
  ClientResponse send_to_admin(std::string_view method, std::string_view path, std::string_view body = {});

  /// The catalog version of the last API response; empty before the first one.
  std::string catalog_version() const;

 private:
  native::ClientPool api_;
  native::ClientPool admin_;
  std::string admin_token_;
  mutable std::mutex mutex_;
  std::string catalog_version_;
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
  /// `find` and `set_plan` return nothing if the account does not exist.
  std::optional<Account> find(const std::string& account);
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
