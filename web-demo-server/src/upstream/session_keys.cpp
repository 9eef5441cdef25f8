#include "upstream/session_keys.h"

#include <stdexcept>

namespace tonearm::web {
namespace {

// Much less than the 12 hours that KEY-9 allows: a key that could not be revoked ends soon.
constexpr std::int64_t kKeyTimeS = 3'600;
constexpr std::int64_t kRenewedBeforeMs = 60'000;
constexpr std::size_t kSweptFrom = 1'024;

}  // namespace

std::optional<ClientResponse> SessionKeys::ask(const std::string& session, const std::string& account,
                                               ClientRequest request) {
  for (int tries = 0;; ++tries) {
    const auto key = key_for(session, account);
    if (!key) return std::nullopt;
    request.token = *key;
    auto response = backend_.ask_api(request);
    if (response.status != 401 || tries > 0) return response;
    forget(session, *key);
  }
}

void SessionKeys::end(const std::string& session) {
  std::string key_id;
  {
    const std::lock_guard lock(mutex_);
    const auto found = kept_.find(session);
    if (found == kept_.end()) return;
    key_id = std::move(found->second.key.key_id);
    kept_.erase(found);
  }
  try {
    accounts_.revoke(key_id);
  } catch (const std::runtime_error&) {
    return;
  }
}

std::optional<std::string> SessionKeys::key_for(const std::string& session, const std::string& account) {
  const auto now_ms = clock_.now_ms();
  {
    const std::lock_guard lock(mutex_);
    const auto found = kept_.find(session);
    if (found != kept_.end() && found->second.until_ms - kRenewedBeforeMs > now_ms) return found->second.key.key;
  }
  auto made = accounts_.create_session(account, kKeyTimeS);
  if (!made) return std::nullopt;
  auto key = made->key;
  const std::lock_guard lock(mutex_);
  if (kept_.size() >= kSweptFrom) drop_ended(now_ms);
  kept_[session] = {*std::move(made), now_ms + kKeyTimeS * 1'000};
  return key;
}

void SessionKeys::forget(const std::string& session, const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = kept_.find(session);
  if (found != kept_.end() && found->second.key.key == key) kept_.erase(found);
}

void SessionKeys::drop_ended(std::int64_t now_ms) {
  std::erase_if(kept_, [now_ms](const auto& entry) { return entry.second.until_ms <= now_ms; });
}

}  // namespace tonearm::web
