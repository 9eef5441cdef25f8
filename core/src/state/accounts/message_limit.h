#pragma once
// Limits the messages to `/mcp` that do not count as calls (LIMIT-16). Counts them in memory, so that a message writes
// nothing: another process, or the same one after a restart, starts at zero. Safe for concurrent calls.

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace tonearm::state {

/// The messages that an account may send in a minute.
inline constexpr std::uint32_t kMessagesPerMinute = 60;

class MessageLimit {
 public:
  /// Counts a message of the account at `now_ms`. If the account has sent too many, counts nothing and returns when its
  /// minute ends. Times are Unix milliseconds.
  std::optional<std::int64_t> count(const std::string& account, std::int64_t now_ms);

 private:
  std::mutex mutex_;
  std::int64_t began_ms_ = 0;  // of the minute that is counted
  std::unordered_map<std::string, std::uint32_t> messages_;
};

}  // namespace tonearm::state
