#pragma once
// Lines for the operator, on stderr. Safe for concurrent calls. No secret, no query text, no body goes here.

#include <memory>
#include <string_view>

namespace tonearm::native {

class Log {
 public:
  virtual ~Log() = default;
  virtual void info(std::string_view line) = 0;
  virtual void warning(std::string_view line) = 0;
  virtual void error(std::string_view line) = 0;
};

/// Time, level, line.
std::unique_ptr<Log> make_stderr_log();

}  // namespace tonearm::native
