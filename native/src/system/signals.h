#pragma once
// The signals that stop or reload a server.

#include <pthread.h>

#include <csignal>

namespace tonearm::native {

/// Blocks SIGTERM, SIGINT and SIGHUP in all threads of the process, so that one thread can wait for them.
class Signals {
 public:
  Signals() {
    sigemptyset(&set_);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set_, signal);
    pthread_sigmask(SIG_BLOCK, &set_, nullptr);
    // A write to a closed connection or to a file at its size limit then fails with an error.
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
