#include "renderer/render_worker.h"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "renderer/render_messages.h"
#include "renderer/script_engine.h"

namespace tonearm::web {
namespace {

/// Returns false if the site has ended.
template <class Work>
bool reply(const Work& work) {
  try {
    return send_render_message(STDIN_FILENO, kRendered, work());
  } catch (const std::runtime_error& error) {
    return send_render_message(STDIN_FILENO, kRenderFailed, error.what());
  }
}

}  // namespace

void run_render_worker() {
  // Connections of the site that were open when this process was started must end with the site's own descriptors.
  close_range(STDERR_FILENO + 1, ~0U, 0);
  // Signals to the whole group stop the site, which first answers what it has accepted.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  std::signal(SIGHUP, SIG_IGN);
  std::unique_ptr<ScriptEngine> engine;
  bool is_connected = true;
  while (is_connected) {
    const auto message = receive_render_message(STDIN_FILENO);
    if (!message) break;
    is_connected = reply([&] {
      if (engine != nullptr) return engine->call(message->first, message->second);
      engine = std::make_unique<ScriptEngine>(message->second, message->first);
      return std::string();
    });
  }
  _exit(EXIT_SUCCESS);  // nothing is left to clean up
}

}  // namespace tonearm::web
