#pragma once
// The player: a page that hosts of MCP Apps show beside the results of tools (MCP-21 to MCP-24). Pure, thread-safe.

#include <string_view>

#include "json/writer.h"
#include "tonearm/catalog.h"

namespace tonearm::mcp {

inline constexpr std::string_view kPlayerUri = "ui://tonearm/player";
inline constexpr std::string_view kAppMediaType = "text/html;profile=mcp-app";

/// Returns whether hosts show the player beside the results of this tool: those that return tracks.
bool shows_player(std::string_view tool);

/// Writes the members of the result of reading the player. `origins`: where its audio and waveforms are.
void write_player(json::Writer& out, const MediaOrigins& origins);

/// The page of mcp-player/, complete (cmake/player.cmake).
std::string_view player_page();

}  // namespace tonearm::mcp
