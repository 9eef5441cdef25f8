#pragma once
// The messages between the site and its render processes, over a stream socket: two texts, each after its length.

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tonearm::web {

/// Of the site: a function of the script and its JSON; first the script's path and the script. Of a render process:
/// whether it succeeded, and the result or the reason.
using RenderMessage = std::pair<std::string, std::string>;

inline constexpr std::string_view kRendered = "rendered";
inline constexpr std::string_view kRenderFailed = "failed";

/// Returns false if the other process has ended, or does not read within the time limit of the socket.
bool send_render_message(int socket, std::string_view first, std::string_view second);
/// Returns nullopt if the other process has ended, does not answer within the time limit of the socket, or sends no
/// message.
std::optional<RenderMessage> receive_render_message(int socket);

}  // namespace tonearm::web
