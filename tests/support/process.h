#pragma once
// Runs a program that stops with this one.

#include <sys/types.h>

#include <string>
#include <vector>

namespace tonearm::test {

struct ProcessOptions {
  std::string user;    // empty: the current user; only root can choose another
  std::string output;  // the file for its output; empty: the same as ours
};

class Process {
 public:
  /// Throws std::runtime_error if the process cannot be started. A missing program shows in its exit status 127.
  Process(const std::vector<std::string>& command, const ProcessOptions& options);
  /// Kills the process if it still runs.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  bool runs();
  /// Waits for the end; returns the exit status, or 128 plus the signal.
  int wait();
  /// Sends a signal and waits for the end.
  int stop(int signal);

 private:
  pid_t id_;
  int status_ = 0;
};

/// Runs a program to its end. Throws std::runtime_error if the exit status is not 0.
void run_program(const std::vector<std::string>& command, const ProcessOptions& options);

}  // namespace tonearm::test
