#pragma once
// The main function of a render process.

#include <string_view>

namespace tonearm::web {

/// The argument with which the site starts its own program as a render process.
inline constexpr std::string_view kRenderWorker = "--render-worker";

/// Renders pages for the site, which is connected to stdin. Ends the process when the site ends.
[[noreturn]] void run_render_worker();

}  // namespace tonearm::web
