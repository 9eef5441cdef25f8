#pragma once
// Slows down who guesses passwords (WEB-8). Wrong guesses are counted for each name, for each address, and for each
// device that its owner signed in on before; the more, the longer until the next one is looked at. The wait is bounded,
// and a known device waits for its own guesses alone, so that nobody is kept out of their account. Safe for concurrent
// calls.

#include <cstdint>
#include <mutex>
#include <string>

#include "visitors/bounded_table.h"

namespace tonearm::web {

class Guesses {
 public:
  /// Whom a guess counts against.
  struct Guess {
    std::string name;     // in the form in which names are compared
    std::string address;  // of the visitor
    bool is_known_device = false;
    std::string device{};  // where it is known
  };

  Guesses();

  /// 0: the guess may be looked at. Else the seconds until it may.
  std::int64_t wait_s(const Guess& guess, std::int64_t now_ms);
  void was_wrong(const Guess& guess, std::int64_t now_ms);
  void was_right(const Guess& guess);

 private:
  struct Count {
    std::int64_t wrong = 0;
    std::int64_t last_ms = 0;
  };
  static std::string key_of_name(const Guess& guess);
  static std::string key_of_address(const Guess& guess);

  std::mutex mutex_;
  BoundedTable<Count> counts_;
};

}  // namespace tonearm::web
