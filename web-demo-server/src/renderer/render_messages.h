#pragma once
// The messages between the site and its render processes, over a stream socket: two texts, each after its length.

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace tonearm::web {

/// Of the site: a function of the script and its JSON; first the script's path and the script. Of a render process:
/// whether it succeeded, and the result or the reason.
using RenderMessage = std::pair<std::string, std::string>;

inline constexpr std::string_view kRendered = "rendered";
inline constexpr std::string_view kRenderFailed = "failed";

/// The other process has ended, or sent something else than a message.
class RenderEnded : public std::runtime_error {
 public:
  RenderEnded() : runtime_error("the process that renders pages ended") {}
};
/// The other process did not read or answer in time.
class RenderLate : public std::runtime_error {
 public:
  RenderLate() : runtime_error("the process that renders pages did not answer in time") {}
};

using RenderDeadline = std::chrono::steady_clock::time_point;

/// After either throws, the socket is unusable. Throw RenderEnded and RenderLate.
void send_render_message(int socket, std::string_view first, std::string_view second, RenderDeadline until);
RenderMessage receive_render_message(int socket, RenderDeadline until);

}  // namespace tonearm::web
