#include "system/stop_signals.h"

#include <atomic>

namespace tonearm::native {

namespace {

/// The signal that was received, or 0.
std::atomic<int>& received() {
  static constinit std::atomic<int> signal = 0;
  static_assert(std::atomic<int>::is_always_lock_free, "signal handlers need it");
  return signal;
}

void record(int signal) {
  if (received().exchange(signal) == 0) return;
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // pending until the handler returns
}

struct sigaction install_handler(int signal) {
  struct sigaction action {};
  action.sa_handler = record;
  action.sa_flags = SA_RESTART;
  struct sigaction before {};
  ::sigaction(signal, nullptr, &before);
  if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  return before;
}

}  // namespace

StopSignals::StopSignals() {
  received() = 0;
  interrupt_before_ = install_handler(SIGINT);
  terminate_before_ = install_handler(SIGTERM);
}

StopSignals::~StopSignals() {
  ::sigaction(SIGINT, &interrupt_before_, nullptr);
  ::sigaction(SIGTERM, &terminate_before_, nullptr);
  if (is_pending()) ::raise(received());
}

bool StopSignals::is_pending() const { return received() != 0; }

}  // namespace tonearm::native
