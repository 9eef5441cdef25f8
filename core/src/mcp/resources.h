#pragma once
// Resources: the table of licenses, the credits of a collection, and the player (MCP-12, MCP-21). Pure, thread-safe.

#include <optional>
#include <string>
#include <string_view>

#include "json/writer.h"

namespace tonearm::mcp {

inline constexpr std::string_view kLicensesUri = "tonearm://licenses";
inline constexpr std::string_view kCreditsUriTemplate = "tonearm://collections/{id}/credits";

/// Write members of a result.
void write_resources(json::Writer& out);
void write_resource_templates(json::Writer& out);
void write_contents(json::Writer& out, std::string_view uri, std::string_view media_type, std::string_view text);

/// Returns the table of licenses (LICENSE-1) as JSON.
std::string license_table();

/// Returns the target of the API request for a URI of the template; nothing for other URIs.
std::optional<std::string> credits_target(std::string_view uri);

}  // namespace tonearm::mcp
