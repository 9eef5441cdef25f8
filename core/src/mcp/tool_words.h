#pragma once
// What a model is told beside the tools: on connecting, and after an error. Constant; nothing of it comes from a
// catalog (MCP-11).

#include <string_view>

#include "tonearm/result.h"

namespace tonearm::mcp {

/// Sent to a client when it connects.
extern const std::string_view kInstructions;

/// What to do about an error (MCP-10).
std::string_view next_step(ErrorCode code);
/// The same for a deletion that was not confirmed (MCP-8).
inline constexpr std::string_view kConfirmStep =
    "Ask the user whether to delete it for good. Only if so, call the tool again with confirm: true.";

}  // namespace tonearm::mcp
