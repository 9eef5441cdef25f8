#include "upstream/session_keys.h"

#include <stdexcept>

namespace tonearm::web {
namespace {

// Much less than the 12 hours that KEY-9 allows, so that a key that was not revoked soon expires.
constexpr std::int64_t kKeyLifetimeS = 3'600;
constexpr std::int64_t kRenewalMarginMs = 60'000;
constexpr std::size_t kSweepThreshold = 1'024;

}  // namespace

std::optional<ClientResponse> SessionKeys::send(const std::string& session, const std::string& account,
                                                ClientRequest request) {
  for (int tries = 0;; ++tries) {
    const auto key = session_key_for(session, account);
    if (!key) return std::nullopt;
    request.token = *key;
    auto response = backend_.send_to_api(request);
    if (response.status != 401 || tries > 0) return response;
    discard(session, *key);
  }
}

void SessionKeys::revoke(const std::string& session) {
  std::string key_id;
  {
    const std::lock_guard lock(mutex_);
    const auto found = keys_.find(session);
    if (found == keys_.end()) return;
    key_id = std::move(found->second.key.key_id);
    keys_.erase(found);
  }
  try {
    accounts_.revoke(key_id);
  } catch (const std::runtime_error&) {
    return;
  }
}

std::optional<std::string> SessionKeys::session_key_for(const std::string& session, const std::string& account) {
  const auto now_ms = clock_.now_ms();
  {
    const std::lock_guard lock(mutex_);
    const auto found = keys_.find(session);
    if (found != keys_.end() && found->second.expires_ms - kRenewalMarginMs > now_ms) return found->second.key.key;
  }
  auto made = accounts_.create_session_key(account, kKeyLifetimeS);
  if (!made) return std::nullopt;
  auto key = made->key;
  const std::lock_guard lock(mutex_);
  if (keys_.size() >= kSweepThreshold) evict_expired(now_ms);
  keys_[session] = {*std::move(made), now_ms + kKeyLifetimeS * 1'000};
  return key;
}

void SessionKeys::discard(const std::string& session, const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = keys_.find(session);
  if (found != keys_.end() && found->second.key.key == key) keys_.erase(found);
}

void SessionKeys::evict_expired(std::int64_t now_ms) {
  std::erase_if(keys_, [now_ms](const auto& entry) { return entry.second.expires_ms <= now_ms; });
}

}  // namespace tonearm::web
