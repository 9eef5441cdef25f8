#pragma once
// Plans, their limits, and the windows that calls are counted in (docs/spec/limits.md). Pure values.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tonearm {

enum class Plan : std::uint8_t { free, pro, unlimited };
enum class Window : std::uint8_t { minute, day, month };

inline constexpr std::array<std::string_view, 3> kPlanNames{"free", "pro", "unlimited"};
inline constexpr std::array<std::string_view, 3> kWindowNames{"minute", "day", "month"};

std::optional<Plan> find_plan(std::string_view name);

/// Calls allowed in each window (indexed by Window); 0: the plan has no limit there.
struct RateLimits {
  std::array<std::uint32_t, 3> calls{};
  bool any() const { return calls[0] != 0 || calls[1] != 0 || calls[2] != 0; }
};
RateLimits rate_limits(Plan plan);

/// The fixed UTC window that holds an instant. Unix milliseconds; `end` is exclusive.
struct WindowSpan {
  std::int64_t begin_ms = 0;
  std::int64_t end_ms = 0;
};
WindowSpan window_at(Window window, std::int64_t now_ms);

/// Calls counted in the three windows; a count belongs to the window that began at `began_ms`.
struct CallCounts {
  struct Count {
    std::int64_t began_ms = 0;
    std::uint32_t calls = 0;
  };
  std::array<Count, 3> windows{};
};

/// What is left of each limit after a decision, for the RateLimit fields and for 429.
struct RateState {
  struct Left {
    Window window = Window::minute;
    std::uint32_t quota = 0;
    std::uint32_t remaining = 0;
    std::int64_t resets_ms = 0;  // Unix milliseconds
  };
  std::array<std::optional<Left>, 3> left{};  // only the windows that the plan limits
  /// The limit that refused the call: of several the one that resets last (LIMIT-6).
  std::optional<Window> refused;
};

/// LIMIT-13: how far after the clock a window may begin that was counted in.
inline constexpr std::int64_t kWindowAheadMsMax = 3'600'000;

/// What has been counted in the windows that are in force at `now_ms`: a clock that stepped back keeps the later window
/// (LIMIT-3), but no window that lies too far ahead (LIMIT-13).
CallCounts counts_in_force(const CallCounts& counts, std::int64_t now_ms);

/// Counts one call at `now_ms` in the windows in force, or refuses it and counts nothing.
RateState count_call(CallCounts& counts, const RateLimits& limits, std::int64_t now_ms);

}  // namespace tonearm
