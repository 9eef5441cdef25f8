#pragma once
// Runs a program that reads an untrusted file, in a process with limits, and reads its output (CLI-28).

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tonearm::cli {

/// The program cannot be started, or wrote nothing for too long. Contains the reason.
class ProcessError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the absolute path of a program in the folders of PATH; empty: there is none. Relative folders are skipped.
std::string find_program(const std::string& name);

/// A running program. It has no shell, no environment but PATH and LANG, no descriptors but its pipes, no input, and no
/// new privileges; it cannot write into files, and has limits of memory and processor time. It is killed if this
/// process ends, or by the destructor. Belongs to one thread, which must outlive it.
class LimitedProcess {
 public:
  /// Starts a program. `patience`: how long it may write nothing. REQUIRES: an absolute path. Throws ProcessError.
  LimitedProcess(const std::string& path, const std::vector<std::string>& arguments,
                 std::chrono::milliseconds patience);
  ~LimitedProcess();
  LimitedProcess(const LimitedProcess&) = delete;
  LimitedProcess& operator=(const LimitedProcess&) = delete;

  /// Waits for output and returns the number of bytes that it wrote into `buffer`; 0: the output has ended. Throws
  /// ProcessError.
  std::size_t read(std::span<char> buffer);
  /// Waits for the end after all output was read. Returns whether the exit status is 0. Throws ProcessError.
  bool finish();
  /// Returns the first line that the program wrote to stderr, without control characters; untrusted.
  std::string error_line() const;

 private:
  std::size_t read_available(int& descriptor, std::span<char> buffer);
  void read_errors();

  std::chrono::milliseconds patience_;
  pid_t pid_ = -1;
  int output_ = -1;
  int errors_ = -1;
  std::string error_text_;
};

}  // namespace tonearm::cli
