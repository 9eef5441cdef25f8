#pragma once
// Reads robots.txt as RFC 9309 defines it. Pure, thread-safe.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::builder {

/// Only so many bytes of a robots.txt are read (RFC 9309, 2.5).
inline constexpr std::size_t kRobotsBytesMax = 512 * 1024;

/// A decision compares at most about so many bytes. The rules of a robots.txt of 512 KiB need fewer for each address of
/// up to a thousand bytes.
inline constexpr std::uint64_t kRobotsStepsMax = 100'000'000;

class Robots {
 public:
  /// Allows everything.
  Robots() = default;
  /// Reads the groups for `agent` ("tonearm"), or those for `*` if there are none.
  Robots(std::string_view text, std::string_view agent);

  /// Whether `target` (path and query) may be fetched. The longest matching rule decides; on a tie, Allow wins. If that
  /// needs more than kRobotsStepsMax steps, it may not (LINK-5).
  bool allows(std::string_view target) const {
    std::uint64_t steps = 0;
    return allows(target, steps);
  }
  /// Also adds the number of steps.
  bool allows(std::string_view target, std::uint64_t& steps) const;

 private:
  struct Rule {
    bool is_allowed = true;
    std::string pattern;  // `*` matches any text; a trailing `$` matches the end
  };
  std::vector<Rule> rules_;  // longest first
};

}  // namespace tonearm::builder
