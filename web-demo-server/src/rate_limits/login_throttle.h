#pragma once
// Slows down password guessing (WEB-8). Failed sign-ins are counted per name, per client address, and per known device
// (a device on which the person has signed in before). Each further failure doubles the delay before the next attempt,
// up to a maximum. A known device is delayed only by its own failures, so that nobody can be locked out of their
// account. Safe for concurrent calls.

#include <cstdint>
#include <mutex>
#include <string>

#include "rate_limits/lru_map.h"

namespace tonearm::web {

class LoginThrottle {
 public:
  struct Attempt {
    std::string name;     // in the form in which names are compared
    std::string address;  // of the client
    bool is_known_device = false;
    std::string device{};  // its hash, if it is known
  };

  LoginThrottle();

  /// Returns 0 if the attempt is allowed, else the seconds to wait.
  std::int64_t retry_after_s(const Attempt& attempt, std::int64_t now_ms);
  void record_failure(const Attempt& attempt, std::int64_t now_ms);
  void record_success(const Attempt& attempt);

 private:
  struct Count {
    std::int64_t failures = 0;
    std::int64_t last_ms = 0;
  };
  static std::string target_key(const Attempt& attempt);
  static std::string address_key(const Attempt& attempt);

  std::mutex mutex_;
  LruMap<Count> counts_;
};

}  // namespace tonearm::web
