#pragma once
// The session keys of people who are signed in (KEY-9): in memory alone, one for each of their sessions. Safe for
// concurrent calls.

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "tonearm/ports.h"
#include "upstream/backend.h"

namespace tonearm::web {

class SessionKeys {
 public:
  SessionKeys(Backend& backend, Clock& clock) : backend_(backend), accounts_(backend), clock_(clock) {}

  /// Asks the API as the account. `session` names the person's session here. A key is made where there is none, where
  /// it is about to revoke, and once more where the API refuses it. Nothing: the API has no such account. Throws
  /// std::runtime_error where there is no answer.
  std::optional<ClientResponse> send(const std::string& session, const std::string& account, ClientRequest request);

  /// Revokes the session's key. A failure is left to the key's revoke, which is near.
  void revoke(const std::string& session);

 private:
  struct CachedKey {
    NewKey key;
    std::int64_t until_ms = 0;
  };
  std::optional<std::string> session_key_for(const std::string& session, const std::string& account);
  void discard(const std::string& session, const std::string& key);
  void evict_expired(std::int64_t now_ms);

  Backend& backend_;
  Accounts accounts_;
  Clock& clock_;
  std::mutex mutex_;
  std::unordered_map<std::string, CachedKey> keys_;
};

}  // namespace tonearm::web
