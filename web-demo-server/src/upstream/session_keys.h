#pragma once
// The API session keys of people who are signed in (KEY-9): one per sign-in session, only in memory. Safe for
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

  /// Sends a request to the API for the account. `session` is the id of the person's sign-in session. Creates a session
  /// key if there is none or it is about to expire, and retries once with a new key if the API rejects the old one.
  /// Returns nothing if the API has no such account. Throws std::runtime_error if there is no response.
  std::optional<ClientResponse> send(const std::string& session, const std::string& account, ClientRequest request);

  /// Revokes the key of a sign-in session. Ignores failures, because the key expires soon.
  void revoke(const std::string& session);

 private:
  struct CachedKey {
    NewKey key;
    std::int64_t expires_ms = 0;
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
