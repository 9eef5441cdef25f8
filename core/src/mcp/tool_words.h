#pragma once
// Texts for models besides the tools: the instructions on connecting, and the next step after an error. Constant; none
// of it comes from a catalog (MCP-11).

#include <string_view>

#include "tonearm/result.h"

namespace tonearm::mcp {

/// Sent to a client when it connects.
extern const std::string_view kInstructions;

/// Returns what to do after an error (MCP-10).
std::string_view next_step(ErrorCode code);
/// The next step after a deletion that was not confirmed (MCP-8).
inline constexpr std::string_view kConfirmStep =
    "Ask the user whether to delete it for good. Only if so, call the tool again with confirm: true.";

}  // namespace tonearm::mcp
