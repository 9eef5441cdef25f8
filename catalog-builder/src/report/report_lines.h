#pragma once
// Breaks the report into lines, so that two reports can be compared by line (BUILD-7). Pure.

#include <string>
#include <string_view>

namespace tonearm::builder {

/// Breaks a compact JSON object into a line for each member, and for each entry of its lists and objects. In `folders`
/// and `policy_unmatched` the lists inside those have lines too. The JSON value stays the same.
std::string in_lines(std::string_view json);

}  // namespace tonearm::builder
