#pragma once
// The templates of all routes, for counting requests by route. Pure, thread-safe, allocates nothing per call.

#include <cstddef>
#include <span>
#include <string_view>

namespace tonearm {

/// Returns each template of the API and the admin interface once, such as `/v1/tracks/{id}` and `/mcp`. They live as
/// long as the program.
std::span<const std::string_view> route_templates();

/// Returns the index in `route_templates()` of the template that matches the path of `target`, or their number if none
/// does. A {name} matches any segment that is not empty. Ignores methods, and does not check the segment.
std::size_t route_index(std::string_view target);

}  // namespace tonearm
