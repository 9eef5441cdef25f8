#pragma once
// The site's own API account, whose key serves visitors (WEB-3). Safe for concurrent calls.

#include <mutex>
#include <string>

#include "upstream/backend.h"
#include "upstream/secret_file.h"

namespace tonearm::web {

class OperatorAccount {
 public:
  /// `path` is the file that stores the account and its key. Throws std::runtime_error if its content is invalid.
  OperatorAccount(Backend& backend, std::string path);

  /// Empty if there is no key yet.
  std::string key() const;

  /// Creates the account and the key if they are missing. Throws std::runtime_error if the admin interface does not
  /// answer; a later call continues.
  void ensure();

  /// Sends a request with the site's key. If the API rejects the key, creates a new one and retries once. Throws
  /// std::runtime_error if there is no response or no key.
  ClientResponse send(ClientRequest request);

 private:
  void save() const;
  void provision();

  Backend& backend_;
  Accounts accounts_;
  SecretFile file_;
  std::mutex provisioning_mutex_;
  mutable std::mutex mutex_;
  std::string account_;
  std::string key_;
};

}  // namespace tonearm::web
