#pragma once
// Lines for the operator, on stderr or in a file. Safe for concurrent calls. Each is one line, whatever is in it
// (tonearm/terminal.h). No secret, no query text, no body goes here.

#include <memory>
#include <string>
#include <string_view>

namespace tonearm::native {

class Log {
 public:
  virtual ~Log() = default;
  virtual void info(std::string_view line) = 0;
  virtual void warning(std::string_view line) = 0;
  virtual void error(std::string_view line) = 0;
  /// What is written from now on goes to the file that the log's path names now (HOST-23). Where that cannot be opened,
  /// the old file stays, and has a line about it.
  virtual void reopen() {}
};

/// Time, level, line.
std::unique_ptr<Log> make_stderr_log();

/// The same at the end of a file, which is created where it is missing. Throws std::runtime_error where it cannot be
/// opened.
std::unique_ptr<Log> make_file_log(const std::string& path);

}  // namespace tonearm::native
