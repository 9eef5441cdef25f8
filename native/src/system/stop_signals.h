#pragma once
// Lets a step that would lose work when it is interrupted finish first.

#include <csignal>

namespace tonearm::native {

/// While an object exists, the first SIGINT or SIGTERM is recorded instead of ending the program; a second one ends it
/// at once. The destructor raises the recorded signal again. Ignored signals stay ignored. Only one object may exist at
/// a time; any thread may query it.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  bool is_pending() const;

 private:
  struct sigaction interrupt_before_ {};
  struct sigaction terminate_before_ {};
};

}  // namespace tonearm::native
