#pragma once
// One context of JavaScriptCore with the script that renders pages. For one thread, which creates it and calls it.

#include <memory>
#include <string>

namespace tonearm::web {

class ScriptEngine {
 public:
  /// `script` is the built server.tsx, and `name` its path in messages. Throws std::runtime_error if it does not run.
  ScriptEngine(const std::string& script, const std::string& name);
  ~ScriptEngine();
  ScriptEngine(const ScriptEngine&) = delete;
  ScriptEngine& operator=(const ScriptEngine&) = delete;

  /// Calls a function of the script with JSON and returns its JSON. Throws std::runtime_error if the function throws.
  std::string call(const std::string& function, const std::string& json);

 private:
  class Context;
  std::unique_ptr<Context> context_;
};

}  // namespace tonearm::web
