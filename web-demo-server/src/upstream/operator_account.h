#pragma once
// The site's own account (WEB-3): visitors browse on its key. Safe for concurrent calls.

#include <mutex>
#include <string>

#include "upstream/backend.h"
#include "upstream/secret_file.h"

namespace tonearm::web {

class OperatorAccount {
 public:
  /// `path`: the file that keeps account and key. Throws std::runtime_error where it holds something else.
  OperatorAccount(Backend& backend, std::string path);

  /// Empty while there is none.
  std::string key() const;

  /// Makes what is missing: the account, its key. Throws std::runtime_error where the admin interface does not answer;
  /// what was made until then is kept.
  void ensure();

  /// Asks the API with the site's key, which is made again once where the API refuses it. Throws std::runtime_error
  /// where there is no answer or no key.
  ClientResponse ask(ClientRequest request);

 private:
  void keep() const;
  void make();

  Backend& backend_;
  Accounts accounts_;
  SecretFile file_;
  std::mutex provisioning_mutex_;
  mutable std::mutex mutex_;
  std::string account_;
  std::string key_;
};

}  // namespace tonearm::web
