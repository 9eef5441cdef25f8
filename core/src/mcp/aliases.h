#pragma once
// The tools `search` and `fetch`, which clients that read documents look for by these names and shapes (MCP-16). Each
// is another form of a tool. Immutable, thread-safe.

#include <boost/json/fwd.hpp>
#include <span>
#include <string_view>

namespace tonearm::mcp {

struct Alias {
  std::string_view name;
  std::string_view tool;  // the operation that it calls
  std::string_view description;
  std::string_view argument;          // its only one, a required text
  std::string_view argument_of_tool;  // the API's name for it
  /// Makes the result from the API's answer. The texts are not cleaned.
  boost::json::object (*result)(const boost::json::object& answer);
};

/// All aliases, in the order of `tools/list`.
std::span<const Alias> aliases();

/// Returns null if there is no such alias.
const Alias* find_alias(std::string_view name);

/// Returns the alias as an element of `tools/list`.
boost::json::object listed(const Alias& alias);

/// Returns the arguments of the tool for those of the alias. Other arguments remain, so that the API rejects them.
boost::json::object arguments_of_tool(const Alias& alias, const boost::json::object& arguments);

}  // namespace tonearm::mcp
