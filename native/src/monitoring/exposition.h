#pragma once
// Prometheus' text format, version 0.0.4: a family of samples under its HELP and TYPE. Not for several threads at once.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace tonearm::native {

/// Decimal, to the microsecond.
std::string seconds_text(std::chrono::nanoseconds time);

class Exposition {
 public:
  /// Begins a family. `type`: counter, gauge or histogram.
  void family(std::string_view name, std::string_view type, std::string_view help);
  /// A sample of the family that was begun last. `suffix`: of its name, such as `_bucket`; `labels`: as the format
  /// writes them, without the braces. Values of labels hold no quote, backslash or line break.
  void sample(std::string_view suffix, std::string_view labels, std::string_view value);
  void sample(std::string_view suffix, std::string_view labels, std::uint64_t value);

  /// Families of one sample without labels.
  void counter(std::string_view name, std::string_view help, std::uint64_t value);
  void gauge(std::string_view name, std::string_view help, std::uint64_t value);

  const std::string& text() const { return text_; }

 private:
  std::string family_;
  std::string text_;
};

}  // namespace tonearm::native
