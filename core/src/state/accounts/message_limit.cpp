#include "state/accounts/message_limit.h"

#include "domain/plan.h"

namespace tonearm::state {

std::optional<std::int64_t> MessageLimit::count(const std::string& account, std::int64_t now_ms) {
  std::unordered_map<std::string, std::uint32_t> ended;  // freed after the lock is released
  const std::lock_guard<std::mutex> lock(mutex_);
  const std::int64_t begin_ms = window_at(Window::minute, now_ms).begin_ms;
  if (begin_ms > began_ms_ || began_ms_ > now_ms + kWindowAheadMsMax) {  // LIMIT-3, LIMIT-13
    began_ms_ = begin_ms;
    messages_.swap(ended);
  }
  std::uint32_t& messages = messages_[account];
  if (messages >= kMessagesPerMinute) return window_at(Window::minute, began_ms_).end_ms;
  ++messages;
  return std::nullopt;
}

}  // namespace tonearm::state
