#pragma once
// What a host lets robots fetch: its robots.txt, as RFC 9309 reads it. Pure, thread-safe.

#include <string>
#include <string_view>
#include <vector>

namespace tonearm::builder {

/// What robots.txt may hold at most; what is behind it is not read (RFC 9309, 2.5).
inline constexpr std::size_t kRobotsBytesMax = 512 * 1024;

class Robots {
 public:
  /// Everything is allowed.
  Robots() = default;
  /// The groups for `agent` ("tonearm"), or else those for `*`.
  Robots(std::string_view text, std::string_view agent);

  /// Whether `target` (path and query) may be fetched: by the longest rule that matches, Allow before Disallow.
  bool allow(std::string_view target) const;

 private:
  struct Rule {
    bool is_allowed = true;
    std::string pattern;  // `*` stands for anything, `$` at the end for the end
  };
  std::vector<Rule> rules_;
};

}  // namespace tonearm::builder
