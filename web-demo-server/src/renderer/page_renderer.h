#pragma once
// Runs the script that renders pages (site/src/server.tsx) in JavaScriptCore. Safe for concurrent calls: each call has
// an engine of its own, and waits until one is free.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::web {

class ScriptEngine;

class PageRenderer {
 public:
  /// `script` is the built server.tsx, and `name` its path in messages. Throws std::runtime_error if it does not run.
  PageRenderer(const std::string& script, const std::string& name, std::size_t engines);
  ~PageRenderer();
  PageRenderer(const PageRenderer&) = delete;
  PageRenderer& operator=(const PageRenderer&) = delete;

  /// Calls a function of the script with JSON and returns its JSON. Throws std::runtime_error if the function throws.
  std::string call(const char* function, const std::string& json);

 private:
  class Lease;

  std::mutex mutex_;
  std::condition_variable released_;
  std::vector<std::unique_ptr<ScriptEngine>> idle_;
};

}  // namespace tonearm::web
