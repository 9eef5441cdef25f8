#include "renderer/render_worker.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "renderer/render_messages.h"
#include "renderer/script_engine.h"

namespace tonearm::web {
namespace {

constexpr auto kNever = RenderDeadline::max();

/// Answers calls until the site ends, which is reported as RenderEnded.
void answer_calls() {
  std::unique_ptr<ScriptEngine> engine;
  for (;;) {
    const auto message = receive_render_message(STDIN_FILENO, kNever);
    try {
      std::string result;
      if (engine != nullptr) {
        result = engine->call(message.first, message.second);
      } else {
        engine = std::make_unique<ScriptEngine>(message.second, message.first);
      }
      send_render_message(STDIN_FILENO, kRendered, result, kNever);
    } catch (const RenderEnded&) {
      throw;
    } catch (const std::runtime_error& error) {
      send_render_message(STDIN_FILENO, kRenderFailed, error.what(), kNever);
    }
  }
}

}  // namespace

void run_render_worker() {
  // Connections that the site had when it started this process must end with the site's own descriptors.
  if (close_range(STDERR_FILENO + 1, ~0U, 0) != 0) {
    std::perror("tonearm-web --render-worker: close_range");
    _exit(EXIT_FAILURE);
  }
  // If memory is short, the system ends this process before the site.
  std::ofstream("/proc/self/oom_score_adj") << 500;
  try {
    answer_calls();
  } catch (const RenderEnded&) {  // the site has ended
  }
  _exit(EXIT_SUCCESS);  // nothing is left to clean up
}

}  // namespace tonearm::web
