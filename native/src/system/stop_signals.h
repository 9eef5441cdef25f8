#pragma once
// A step that loses work when it is stopped may end by itself first.

#include <csignal>

namespace tonearm::native {

/// While one lives, the first SIGINT or SIGTERM is noted instead of ending the program; a second one ends it at once.
/// When it goes, also by an exception, the noted signal takes the effect that it would have had. A signal that is
/// ignored stays so. One may live at a time; every thread may ask it.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  bool came() const;

 private:
  struct sigaction interrupt_before_ {};
  struct sigaction terminate_before_ {};
};

}  // namespace tonearm::native
