#pragma once
// The names of identifiers in tools: `track_id` and `collection_id` everywhere (MCP-7), where the API's paths, bodies
// and answers say id, ids, trackId, track, tracks or seeds. Pure, thread-safe.

#include <boost/json/fwd.hpp>
#include <string_view>

#include "mcp/tools.h"
#include "tonearm/result.h"

namespace tonearm::mcp {

/// Returns the argument's name in the tool, given the name that the API has for it.
std::string_view argument_name(const Operation& operation, std::string_view api_name);

/// Renames arguments to the API's names. The API's own names are accepted, too. Returns an error if an argument is
/// given under both names.
Result<boost::json::object> with_api_names(const Operation& operation, const boost::json::object& arguments);

/// Returns the name under which tools take the value of a field, or an empty text if the field is no identifier.
std::string_view identifier_of(std::string_view type, std::string_view field);

}  // namespace tonearm::mcp
