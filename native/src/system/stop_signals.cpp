#include "system/stop_signals.h"

#include <atomic>

namespace tonearm::native {

namespace {

/// The signal that came, or 0.
std::atomic<int>& noted() {
  static constinit std::atomic<int> signal = 0;
  static_assert(std::atomic<int>::is_always_lock_free, "a handler may use it");
  return signal;
}

void note(int signal) {
  if (noted().exchange(signal) == 0) return;
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // pending until the handler returns
}

struct sigaction note_from_now_on(int signal) {
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  struct sigaction before {};
  ::sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  return before;
}

}  // namespace

StopSignals::StopSignals() {
  noted() = 0;
  interrupt_before_ = note_from_now_on(SIGINT);
  terminate_before_ = note_from_now_on(SIGTERM);
}

StopSignals::~StopSignals() {
  ::sigaction(SIGINT, &interrupt_before_, nullptr);
  ::sigaction(SIGTERM, &terminate_before_, nullptr);
  if (came()) ::raise(noted());
}

bool StopSignals::came() const { return noted() != 0; }

}  // namespace tonearm::native
