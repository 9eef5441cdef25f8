#pragma once
// Limits the passwords that the site checks (WEB-8): all of them per client address and right ones per person, because
// a hash is expensive, and wrong ones, because they may be guesses. Safe for concurrent calls.
//
// The first wrong passwords of an address for a name are its own: nothing that other addresses did delays them, except
// that all addresses together have a limited number of them. Further ones of all addresses share one count, whose delay
// doubles. So one attacker cannot lock a person out of a new browser, and many addresses guess hardly faster than one.
// A known device (a device on which the person has signed in before) is delayed only by its own failures.

#include <cstdint>
#include <mutex>
#include <string>

#include "rate_limits/lru_map.h"
#include "rate_limits/throttle.h"

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

  /// Counts a password that is about to be checked. Returns 0 if it may be checked; otherwise it is not counted, and
  /// the result is the seconds to wait.
  std::int64_t acquire(const Attempt& attempt, std::int64_t now_ms);
  void record_failure(const Attempt& attempt, std::int64_t now_ms);
  void record_success(const Attempt& attempt, std::int64_t now_ms);

 private:
  struct Count {
    std::int64_t failures = 0;
    std::int64_t last_ms = 0;
  };
  /// How often a count of failures is free, and when it is forgotten.
  struct Rule {
    std::int64_t free = 0;
    std::int64_t reset_ms = 0;
  };
  static const Rule kDeviceRule;
  static const Rule kPairRule;
  static const Rule kAddressRule;
  static const Rule kNameRule;

  std::int64_t guess_wait_ms(const Attempt& attempt, std::int64_t now_ms);
  std::int64_t wait_ms(const std::string& key, const Rule& rule, std::int64_t now_ms);
  bool has_free_guess(const Attempt& attempt, std::int64_t now_ms);
  void add_failure(const std::string& key, const Rule& rule, std::int64_t now_ms);

  Throttle checked_;       // by address
  Throttle successes_;     // by name
  Throttle free_guesses_;  // by name
  std::mutex mutex_;
  LruMap<Count> counts_;
};

}  // namespace tonearm::web
