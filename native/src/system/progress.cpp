#include "system/progress.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <utility>

namespace tonearm::native {
namespace {

constexpr std::int64_t kFirstShownMs = 1'000;
constexpr std::int64_t kTerminalEveryMs = 200;
constexpr std::int64_t kLineEveryMs = 10'000;
constexpr const char* kClearLine = "\r\x1b[2K";

/// "45 s", "2:05 min", "1:02 h".
std::string duration_text(std::int64_t ms) {
  const auto seconds = (ms + 999) / 1000;
  if (seconds < 60) return std::to_string(seconds) + " s";
  const bool hours = seconds >= 3600;
  const auto whole = hours ? seconds / 3600 : seconds / 60;
  const auto rest = hours ? seconds / 60 % 60 : seconds % 60;
  return std::to_string(whole) + (rest < 10 ? ":0" : ":") + std::to_string(rest) + (hours ? " h" : " min");
}

}  // namespace

Progress::Progress(std::ostream& out, Style style, Stopwatch stopwatch)
    : out_(&out), style_(style), stopwatch_(std::move(stopwatch)) {}

void Progress::begin(std::string what, std::uint64_t units) {
  if (style_ == Style::silent) return;
  clear_line();
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
  units_ = units;
  done_ = 0;
  begin_ms_ = stopwatch_();
  next_ms_ = begin_ms_ + (style_ == Style::terminal ? kFirstShownMs : kLineEveryMs);
}

void Progress::advance(std::uint64_t units) {
  if (style_ == Style::silent) return;
  const auto done = done_.fetch_add(units) + units;
  const std::unique_lock lock(mutex_, std::try_to_lock);  // another thread is printing
  if (!lock) return;
  const auto now_ms = stopwatch_();
  if (now_ms >= next_ms_) show(done, now_ms);
}

void Progress::clear_line() {
  const std::lock_guard lock(mutex_);
  if (is_line_shown_) *out_ << kClearLine << std::flush;
  is_line_shown_ = false;
}

// Estimates the remaining time from this step only, because steps differ too much. Waits until one percent is done,
// because the first units of a long step say little about the others.
void Progress::show(std::uint64_t done, std::int64_t now_ms) {
  const auto shown = std::min(done, units_);
  std::string text = what_;
  const auto percent = units_ == 0 ? 0 : 100 * shown / units_;
  if (shown != 0) text += ": " + std::to_string(percent) + " %";
  if (percent != 0) {
    const auto elapsed_ms = static_cast<double>(now_ms - begin_ms_);
    const auto left_ms = elapsed_ms * (static_cast<double>(units_) / static_cast<double>(shown) - 1);
    text += ", " + duration_text(static_cast<std::int64_t>(left_ms)) + " left";
  }
  if (style_ == Style::terminal) {
    *out_ << kClearLine << text << std::flush;
    is_line_shown_ = true;
    next_ms_ = now_ms + kTerminalEveryMs;
  } else {
    *out_ << text << std::endl;
    next_ms_ = now_ms + kLineEveryMs;
  }
}

Progress stderr_progress() {
  const auto style = ::isatty(STDERR_FILENO) == 1 ? Progress::Style::terminal : Progress::Style::lines;
  return {std::cerr, style, [] {
            using namespace std::chrono;
            return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
          }};
}

}  // namespace tonearm::native
