#pragma once
// Prompts that a user can choose (MCP-13). Pure, thread-safe.

#include <boost/json/fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "json/writer.h"

namespace tonearm::mcp {

/// Write members of a result.
void write_prompts(json::Writer& out);
/// Returns a message and writes nothing if there is no such prompt or the arguments are invalid.
std::optional<std::string> write_prompt(json::Writer& out, std::string_view name, const boost::json::object& arguments);

}  // namespace tonearm::mcp
