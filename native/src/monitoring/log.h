#pragma once
// Lines for the operator, on stderr or in a file. Safe for concurrent calls. Each is one line, whatever is in it
// (tonearm/terminal.h). No secret, no query text, no body goes here.

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tonearm::native {

/// How a line is written: `TIME LEVEL MESSAGE`, or a JSON object with these members (HOST-34).
enum class LogFormat { text, json };

/// What a line says beside its message. Names are the program's own: lower-case letters.
struct LogField {
  std::string_view name;
  std::string_view value;
};

class Log {
 public:
  virtual ~Log() = default;
  virtual void info(std::string_view line) = 0;
  virtual void warning(std::string_view line) = 0;
  virtual void error(std::string_view line) = 0;
  /// An error about one request; fields without a value are left out.
  virtual void request_error(std::string_view line, std::span<const LogField> fields) = 0;
  /// What is written from now on goes to the file that the log's path names now (HOST-23). Where that cannot be opened,
  /// the old file stays, and has a line about it.
  virtual void reopen() {}
};

std::unique_ptr<Log> make_stderr_log(LogFormat format);

/// The same at the end of a file, which is created where it is missing. Throws std::runtime_error where it cannot be
/// opened.
std::unique_ptr<Log> make_file_log(const std::string& path, LogFormat format);

}  // namespace tonearm::native
