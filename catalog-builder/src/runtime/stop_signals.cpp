#include "runtime/stop_signals.h"

#include <atomic>
#include <csignal>

namespace tonearm::builder {

namespace {

std::atomic<int> noted = 0;
static_assert(std::atomic<int>::is_always_lock_free);

void note(int signal) { noted = signal; }

void handle_by(void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
}

}  // namespace

StopSignals::StopSignals() {
  noted = 0;
  handle_by(note, SA_RESTART | static_cast<int>(SA_RESETHAND));
}

StopSignals::~StopSignals() { handle_by(SIG_DFL, 0); }

bool StopSignals::came() const { return noted != 0; }

void StopSignals::end_if_came() const {
  if (!came()) return;
  handle_by(SIG_DFL, 0);
  ::raise(noted);
}

}  // namespace tonearm::builder
