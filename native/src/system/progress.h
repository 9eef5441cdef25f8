#pragma once
// Reports the progress of a long operation on stderr: on a terminal as one line that is rewritten, elsewhere as a plain
// line every ten seconds. Steps of less than a second are not reported.

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>

namespace tonearm::native {

class Progress {
 public:
  enum class Style : std::uint8_t { silent, terminal, lines };
  /// Milliseconds of a monotonic clock.
  using Stopwatch = std::function<std::int64_t()>;

  Progress() = default;
  /// REQUIRES: `out` outlives this object.
  Progress(std::ostream& out, Style style, Stopwatch stopwatch);
  ~Progress() { clear_line(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Begins the next step, which consists of `units` units.
  void begin(std::string what, std::uint64_t units);
  /// Counts finished units. Safe for concurrent calls.
  void advance(std::uint64_t units);
  /// Clears the rewritten line before other output.
  void clear_line();

 private:
  void show(std::uint64_t done, std::int64_t now_ms);

  std::ostream* out_ = nullptr;
  Style style_ = Style::silent;
  Stopwatch stopwatch_;
  std::atomic<std::uint64_t> done_ = 0;
  std::mutex mutex_;  // guards the members below
  std::string what_;
  std::uint64_t units_ = 0;
  std::int64_t begin_ms_ = 0;
  std::int64_t next_ms_ = 0;
  bool is_line_shown_ = false;
};

/// Returns the progress of a program on stderr.
Progress stderr_progress();

}  // namespace tonearm::native
