#pragma once
// The API and its admin interface, as the site asks them. Safe for concurrent calls.

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
    std::string ca_file;  // empty: the system's
  };

  /// Throws std::runtime_error where the certificates cannot be read.
  explicit Backend(const Options& options);

  /// Throws std::runtime_error where there is no answer.
  ClientResponse send_to_api(const ClientRequest& request);
  /// `path` below the admin interface's address; its token is added.
  ClientResponse send_to_admin(std::string_view method, std::string_view path, std::string_view body = {});

  /// What the last answers of the API said of the catalog; empty where none has said anything.
  std::string catalog_version() const;

 private:
  native::ClientPool api_;
  native::ClientPool admin_;
  std::string admin_token_;
  mutable std::mutex mutex_;
  std::string catalog_version_;
};

/// What an account of the API is, to the admin interface.
struct Account {
  std::string id;
  std::string plan;
};

struct NewKey {
  std::string key_id;
  std::string key;
};

/// The admin interface's routes that the site uses. Each throws std::runtime_error for any answer but those it names.
class Accounts {
 public:
  explicit Accounts(Backend& backend) : backend_(backend) {}

  Account create(std::string_view plan);
  /// Nothing: there is no such account.
  std::optional<Account> find(const std::string& account);
  std::optional<Account> set_plan(const std::string& account, std::string_view plan);
  /// Also where it is gone already.
  void remove(const std::string& account);

  /// Nothing: there is no such account, or it has five.
  std::optional<NewKey> create_key(const std::string& account);
  std::optional<NewKey> create_session_key(const std::string& account, std::int64_t ttl_s);
  /// The ids of active API keys and when they were made, the oldest first; nothing: there is no such account.
  struct Key {
    std::string key_id;
    std::string created;
  };
  std::optional<std::vector<Key>> active_keys(const std::string& account);
  /// Also where it is revoked already.
  void revoke(const std::string& key_id);
  /// Key ids with the time of the last call, as far back as the latest calls go.
  std::vector<Key> last_calls(const std::string& account);

 private:
  Backend& backend_;
};

}  // namespace tonearm::web
