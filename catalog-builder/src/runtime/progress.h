#pragma once
// Shows how far a build is: on a terminal one line that is rewritten, elsewhere a plain line now and then. A step of
// less than a second is not shown.

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>

namespace tonearm::builder {

class Progress {
 public:
  enum class Style : std::uint8_t { silent, terminal, lines };
  /// Milliseconds of a clock that never steps back.
  using Stopwatch = std::function<std::int64_t()>;

  Progress() = default;
  /// `out` outlives it.
  Progress(std::ostream& out, Style style, Stopwatch stopwatch);
  ~Progress() { clear_line(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The next step begins: `what` is done when `units` of it are.
  void begin(std::string what, std::uint64_t units);
  /// Counts units that are done. Safe for concurrent calls.
  void advance(std::uint64_t units);
  /// Removes the rewritten line, so that others can write.
  void clear_line();

 private:
  void show(std::uint64_t done, std::int64_t now_ms);

  std::ostream* out_ = nullptr;
  Style style_ = Style::silent;
  Stopwatch stopwatch_;
  std::atomic<std::uint64_t> done_ = 0;
  std::mutex mutex_;  // guards what follows
  std::string what_;
  std::uint64_t units_ = 0;
  std::int64_t began_ms_ = 0;
  std::int64_t next_ms_ = 0;
  bool line_stands_ = false;
};

}  // namespace tonearm::builder
