#pragma once
// Writes the answers of tools. Compact answers have only the fields needed to choose (MCP-9); all answers are without
// invisible characters (MCP-11). Pure, thread-safe.

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "json/writer.h"
#include "reflection/object_type.h"

namespace tonearm::mcp {

enum class Detail : std::uint8_t { compact, full };

/// Removes control characters (except line breaks and tabs), direction marks and overrides, tag characters and other
/// invisible characters, except those that scripts and emoji need.
std::string clean_text(std::string_view text);

/// Writes an answer. If `type` is null, writes all its members.
void write_clean(json::Writer& out, const boost::json::value& value, const table::ObjectType* type, Detail detail);

/// Returns the fields of a type in compact answers; empty: all of them.
std::span<const std::string_view> compact_fields(std::string_view type);
/// Returns whether compact answers omit empty lists of this type.
bool omits_empty_lists(std::string_view type);

}  // namespace tonearm::mcp
