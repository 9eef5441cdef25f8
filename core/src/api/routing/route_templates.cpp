#include "tonearm/route_templates.h"

#include <algorithm>
#include <vector>

#include "api/requests/routes.h"
#include "tonearm/http_fields.h"

namespace tonearm {
namespace {

std::vector<std::string_view> make_templates() {
  std::vector<std::string_view> templates{"/mcp"};  // MCP-1: it has tools instead of a row
  templates.reserve(api::kRoutes.size() + 1);
  for (const api::Route& route : api::kRoutes) {
    if (std::find(templates.begin(), templates.end(), route.path) == templates.end()) templates.push_back(route.path);
  }
  return templates;
}

bool matches(std::string_view pattern, std::string_view path) {
  while (true) {
    const std::string_view wanted = pattern.substr(0, pattern.find('/'));
    const std::string_view given = path.substr(0, path.find('/'));
    const bool takes_any = !wanted.empty() && wanted.front() == '{';
    if (takes_any ? given.empty() : wanted != given) return false;
    const bool pattern_ends = wanted.size() == pattern.size();
    const bool path_ends = given.size() == path.size();
    if (pattern_ends || path_ends) return pattern_ends && path_ends;
    pattern.remove_prefix(wanted.size() + 1);
    path.remove_prefix(given.size() + 1);
  }
}

}  // namespace

std::span<const std::string_view> route_templates() {
  static const std::vector<std::string_view> templates = make_templates();
  return templates;
}

std::size_t route_index(std::string_view target) {
  const auto path = http_fields::path_of(target);
  const auto templates = route_templates();
  const auto found = std::find_if(templates.begin(), templates.end(),
                                  [path](std::string_view pattern) { return matches(pattern, path); });
  return static_cast<std::size_t>(found - templates.begin());
}

}  // namespace tonearm
