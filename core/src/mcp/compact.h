#pragma once
// What of an answer a tool shows: compactly the fields that a choice needs (MCP-9), always without characters that a
// reader does not see (MCP-11). Pure, thread-safe.

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "json/writer.h"
#include "reflection/object_type.h"

namespace tonearm::mcp {

enum class Detail : std::uint8_t { compact, full };

/// The text without controls (line breaks and tabs stay), marks and overrides of direction, tag characters and other
/// characters that show nothing, beside those that scripts and emoji are written with.
std::string clean_text(std::string_view text);

/// Writes an answer of that type; null: of no known one, which is written whole.
void write_clean(json::Writer& out, const boost::json::value& value, const table::ObjectType* type, Detail detail);

/// The fields that are kept compactly of a type of this name; empty: all. REQUIRES: no type keeps none.
std::span<const std::string_view> compact_fields(std::string_view type);
/// Whether a compact answer leaves out empty lists of such a type.
bool leaves_out_empty(std::string_view type);

}  // namespace tonearm::mcp
