#pragma once
// Passwords are kept as Argon2id's strings (libsodium), which hold salt and cost. Safe for concurrent calls.

#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>

namespace tonearm::web {

/// Empty: the password may be taken; else what is wrong with it (WEB-7).
std::string_view password_objection(std::string_view password, std::string_view name);

class Passwords {
 public:
  /// What each hash costs. Tests take the cheapest.
  enum class Cost : std::uint8_t { usual, least };

  /// Throws std::runtime_error where libsodium does not start.
  explicit Passwords(Cost cost = Cost::usual);

  /// Throws std::runtime_error when out of memory, and where too many wait for theirs.
  std::string hash(std::string_view password);
  /// `kept` empty: there is no such person; takes as long as if there were one, and is false. Throws likewise.
  bool is_right(const std::string& kept, const std::string& password);

 private:
  /// Each hash takes 64 MiB: few run at a time, some wait, and above that nobody does, so that threads are left.
  class Turn;

  unsigned long long operations_;
  std::size_t memory_;
  std::mutex mutex_;
  std::condition_variable free_;
  int running_ = 0;
  int waiting_ = 0;
  std::string nobody_;
};

}  // namespace tonearm::web
