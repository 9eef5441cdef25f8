#pragma once
// Writes Prometheus' text format, version 0.0.4: families of samples, each under its HELP and TYPE. Not thread-safe.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace tonearm::native {

/// Formats seconds as a decimal number with microseconds.
std::string seconds_text(std::chrono::nanoseconds time);

class Exposition {
 public:
  /// Begins a family. `type`: counter, gauge or histogram.
  void family(std::string_view name, std::string_view type, std::string_view help);
  /// Adds a sample to the current family. `suffix`: of its name, such as `_bucket`; `labels`: in the syntax of the
  /// format, without the braces. Label values contain no quote, backslash or line break.
  void sample(std::string_view suffix, std::string_view labels, std::string_view value);
  void sample(std::string_view suffix, std::string_view labels, std::uint64_t value);

  /// These add a family of one sample without labels.
  void counter(std::string_view name, std::string_view help, std::uint64_t value);
  void gauge(std::string_view name, std::string_view help, std::uint64_t value);

  const std::string& text() const { return text_; }

 private:
  std::string family_;
  std::string text_;
};

}  // namespace tonearm::native
