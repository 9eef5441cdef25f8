#pragma once
// What a client can read: the table of licenses, and the credits of a collection (MCP-12). Pure, thread-safe.

#include <optional>
#include <string>
#include <string_view>

#include "json/writer.h"

namespace tonearm::mcp {

inline constexpr std::string_view kLicensesUri = "tonearm://licenses";
inline constexpr std::string_view kCreditsUriTemplate = "tonearm://collections/{id}/credits";

/// Each writes a member of a result.
void write_resources(json::Writer& out);
void write_resource_templates(json::Writer& out);
void write_contents(json::Writer& out, std::string_view uri, std::string_view media_type, std::string_view text);

/// LICENSE-1, as JSON.
std::string license_table();

/// The target of the request that answers a URI of the template, or nothing.
std::optional<std::string> credits_target(std::string_view uri);

}  // namespace tonearm::mcp
