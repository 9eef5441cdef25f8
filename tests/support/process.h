#pragma once
// A program run beside this one, which ends with it.

#include <sys/types.h>

#include <string>
#include <vector>

namespace tonearm::test {

struct ProcessOptions {
  std::string user;    // empty: the same; another one only root can be
  std::string output;  // the file that takes what it says; empty: the same as ours
};

class Process {
 public:
  /// Throws std::runtime_error where it cannot be started; that the program is missing shows in its exit status 127.
  Process(const std::vector<std::string>& command, const ProcessOptions& options);
  /// Kills it where it still runs.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  bool runs();
  /// Waits for the end; returns the exit status, or 128 and the signal.
  int wait();
  /// Asks it to end by a signal, and waits.
  int stop(int signal);

 private:
  pid_t id_;
  int status_ = 0;
};

/// Runs a program to its end. Throws std::runtime_error where the exit status is not 0.
void run_program(const std::vector<std::string>& command, const ProcessOptions& options);

}  // namespace tonearm::test
