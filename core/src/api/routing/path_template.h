#pragma once
// Matching of paths with route templates. Pure, thread-safe, allocates nothing.

#include <cstddef>
#include <string_view>

namespace tonearm::api {

/// Matches a path with a template, segment by segment. For each {name} calls `accept_value(segment)`, which returns
/// whether the segment matches.
template <class AcceptValue>
bool matches_template(std::string_view path_template, std::string_view path, const AcceptValue& accept_value) {
  // Most templates differ from the path before their first {name}.
  std::size_t same = 0;
  const auto is_same = [&] { return path_template[same] == path[same] && path_template[same] != '{'; };
  while (same < path_template.size() && same < path.size() && is_same()) ++same;
  if (same == path_template.size()) return same == path.size();
  if (path_template[same] != '{') return false;
  path_template.remove_prefix(same);
  path.remove_prefix(same);
  while (true) {
    const std::string_view expected = path_template.substr(0, path_template.find('/'));
    const std::string_view segment = path.substr(0, path.find('/'));
    const bool is_name = !expected.empty() && expected.front() == '{';
    if (is_name ? !accept_value(segment) : expected != segment) return false;
    const bool template_ends = expected.size() == path_template.size();
    const bool path_ends = segment.size() == path.size();
    if (template_ends || path_ends) return template_ends && path_ends;
    path_template.remove_prefix(expected.size() + 1);
    path.remove_prefix(segment.size() + 1);
  }
}

}  // namespace tonearm::api
