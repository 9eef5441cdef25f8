#pragma once
// Runs the script that renders pages (site/src/server.tsx) in processes of its own. Safe for concurrent calls: each
// call has a process to itself, and waits until one is free.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "renderer/render_process.h"

namespace tonearm::web {

class PageRenderer {
 public:
  /// This program, also after its file was replaced.
  static constexpr const char* kThisProgram = "/proc/self/exe";

  struct Options {
    std::string script;  // the built server.tsx
    std::string name;    // its path in messages
    std::size_t processes = 1;
    std::string program = kThisProgram;  // has the main function of tonearm-web
    std::chrono::milliseconds answer_time{20'000};
    /// Called, from any thread, with the reason each time that a process is replaced: it ended, did not answer in time,
    /// or failed in three calls one after the other.
    std::function<void(const std::string& reason)> on_end = [](const std::string&) {};
  };

  /// Throws std::runtime_error if the script does not run.
  explicit PageRenderer(Options options);

  /// Calls a function of the script with JSON and returns its JSON. If the process ends, another one is started and
  /// called once. Throws std::runtime_error if the function throws, the second process ends too, or there is no answer
  /// in time.
  std::string call(const char* function, const std::string& json);
  /// The ids of the processes that run no call.
  std::vector<pid_t> pids();

 private:
  class Lease;

  std::unique_ptr<RenderProcess> start(RenderDeadline until) const;

  const Options options_;
  std::mutex mutex_;
  std::condition_variable released_;
  std::vector<std::unique_ptr<RenderProcess>> idle_;  // null: to be started
};

}  // namespace tonearm::web
