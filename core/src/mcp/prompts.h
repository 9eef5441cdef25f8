#pragma once
// Prompts that a user can choose (MCP-13). Pure, thread-safe.

#include <boost/json/fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "json/writer.h"

namespace tonearm::mcp {

/// Each writes members of a result.
void write_prompts(json::Writer& out);
/// Why there is no such prompt with these arguments, where there is none: then nothing is written.
std::optional<std::string> write_prompt(json::Writer& out, std::string_view name, const boost::json::object& arguments);

}  // namespace tonearm::mcp
