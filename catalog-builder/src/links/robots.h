#pragma once
// Reads robots.txt as RFC 9309 defines it. Pure, thread-safe.

#include <string>
#include <string_view>
#include <vector>

namespace tonearm::builder {

/// Only so many bytes of a robots.txt are read (RFC 9309, 2.5).
inline constexpr std::size_t kRobotsBytesMax = 512 * 1024;

class Robots {
 public:
  /// Allows everything.
  Robots() = default;
  /// Reads the groups for `agent` ("tonearm"), or those for `*` if there are none.
  Robots(std::string_view text, std::string_view agent);

  /// Whether `target` (path and query) may be fetched. The longest matching rule decides; on a tie, Allow wins.
  bool allows(std::string_view target) const;

 private:
  struct Rule {
    bool is_allowed = true;
    std::string pattern;  // `*` matches any text; a trailing `$` matches the end
  };
  std::vector<Rule> rules_;
};

}  // namespace tonearm::builder
