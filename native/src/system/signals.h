#pragma once
// The signals that end a server or have it reload.

#include <pthread.h>

#include <csignal>

namespace tonearm::native {

/// SIGTERM, SIGINT and SIGHUP, blocked in all threads of the process and waited for in one.
class Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set_, signal);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    // Writes then fail with an error: to a connection that is gone, and to a file that may not grow further.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
  }
  int wait() {
    int received = 0;
    sigwait(&set_, &received);
    return received;
  }

 private:
  sigset_t set_{};
};

}  // namespace tonearm::native
