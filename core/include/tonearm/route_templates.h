#pragma once
// The paths of all routes as templates, for whoever counts requests by route. Pure, thread-safe, without allocation.

#include <cstddef>
#include <span>
#include <string_view>

namespace tonearm {

/// Each once, of the API and of the admin interface: `/v1/tracks/{id}`, `/mcp`. They live as long as the program.
std::span<const std::string_view> route_templates();

/// The index in `route_templates()` of the one that the path of `target` follows, or their number where there is none.
/// A {name} takes any segment that is not empty; whether the route's method and the segment are good does not matter.
std::size_t route_index(std::string_view target);

}  // namespace tonearm
