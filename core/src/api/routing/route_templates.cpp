#include "tonearm/route_templates.h"

#include <algorithm>
#include <vector>

#include "api/requests/routes.h"
#include "api/routing/path_template.h"
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

}  // namespace

std::span<const std::string_view> route_templates() {
  static const std::vector<std::string_view> templates = make_templates();
  return templates;
}

std::size_t route_index(std::string_view target) {
  const auto path = http_fields::path_of(target);
  const auto templates = route_templates();
  const auto found = std::find_if(templates.begin(), templates.end(), [path](std::string_view path_template) {
    return api::matches_template(path_template, path, [](std::string_view segment) { return !segment.empty(); });
  });
  return static_cast<std::size_t>(found - templates.begin());
}

}  // namespace tonearm
