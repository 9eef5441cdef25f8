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

inline std::string_view plan_name(Plan plan) { return kPlanNames[static_cast<std::size_t>(plan)]; }
inline std::string_view window_name(Window window) { return kWindowNames[static_cast<std::size_t>(window)]; }
std::optional<Plan> find_plan(std::string_view name);

/// Calls allowed in each window (indexed by Window); 0: no limit.
struct RateLimits {
  std::array<std::uint32_t, 3> calls{};
  bool any() const { return calls[0] != 0 || calls[1] != 0 || calls[2] != 0; }
};
RateLimits rate_limits(Plan plan);

/// The fixed UTC window that contains an instant. Unix milliseconds; `end` is exclusive.
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

/// The state of each limit after a decision, for the RateLimit header fields and for 429.
struct RateState {
  struct Limit {
    Window window = Window::minute;
    std::uint32_t quota = 0;
    std::uint32_t remaining = 0;
    std::int64_t resets_ms = 0;  // Unix milliseconds
  };
  std::array<std::optional<Limit>, 3> limits{};  // only the windows that the plan limits
  /// The limit that the call exceeded. If there are several, the one that resets last (LIMIT-6).
  std::optional<Window> exceeded;
};

/// LIMIT-13: the maximum time between the clock and the start of a counted window.
inline constexpr std::int64_t kWindowAheadMsMax = 3'600'000;

/// Returns the counts of the current windows at `now_ms`. If the clock was set back, keeps the later window (LIMIT-3),
/// unless it is too far ahead (LIMIT-13).
CallCounts current_counts(const CallCounts& counts, std::int64_t now_ms);

/// Counts one call at `now_ms` in the current windows. If it exceeds a limit, counts nothing.
RateState count_call(CallCounts& counts, const RateLimits& limits, std::int64_t now_ms);

}  // namespace tonearm
