#pragma once
// Slows down who login_throttle passwords (WEB-8). Wrong login_throttle are counted for each name, for each address, and for each
// device that its owner signed in on before; the more, the longer until the next one is looked at. The wait is bounded,
// and a known device waits for its own login_throttle alone, so that nobody is kept out of their account. Safe for concurrent
// calls.

#include <cstdint>
#include <mutex>
#include <string>

#include "rate_limits/bounded_table.h"

namespace tonearm::web {

class LoginThrottle {
 public:
  /// Whom a attempt counts against.
  struct Attempt {
    std::string name;     // in the form in which names are compared
    std::string address;  // of the visitor
    bool is_known_device = false;
    std::string device{};  // where it is known
  };

  LoginThrottle();

  /// 0: the attempt may be looked at. Else the seconds until it may.
  std::int64_t retry_after_s(const Attempt& attempt, std::int64_t now_ms);
  void record_failure(const Attempt& attempt, std::int64_t now_ms);
  void record_success(const Attempt& attempt);

 private:
  struct Count {
    std::int64_t wrong = 0;
    std::int64_t last_ms = 0;
  };
  static std::string target_key(const Attempt& attempt);
  static std::string address_key(const Attempt& attempt);

  std::mutex mutex_;
  BoundedTable<Count> counts_;
};

}  // namespace tonearm::web
