#pragma once
// The log for the operator, on stderr or in a file. Safe for concurrent calls. Every message becomes one line, because
// control characters are escaped (tonearm/terminal.h). Callers log no secret, no query text and no body.

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace tonearm::native {

/// The format of a line: `TIME LEVEL MESSAGE`, or a JSON object with these members (HOST-34).
enum class LogFormat { text, json };

/// A field of a line besides its message. Names are lower-case letters.
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
  /// Logs an error about one request. Omits fields without a value.
  virtual void request_error(std::string_view line, std::span<const LogField> fields) = 0;
  /// Reopens the log's path, so that later lines go to the file that it names now (HOST-23). If that fails, logs the
  /// failure to the old file and keeps it.
  virtual void reopen() {}
};

/// Logs to the end of the file at `path`, which is created if it is missing, or to stderr if `path` is empty. Throws
/// std::runtime_error if the file cannot be opened.
std::unique_ptr<Log> open_log(const std::string& path, LogFormat format);

}  // namespace tonearm::native
