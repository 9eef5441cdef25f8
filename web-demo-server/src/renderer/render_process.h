#pragma once
// A process that runs the script which renders pages: a fault of the engine ends only this process. For one thread at a
// time.

#include <sys/types.h>

#include <string>

#include "renderer/render_messages.h"

namespace tonearm::web {

class RenderProcess {
 public:
  /// Starts `program` with the argument kRenderWorker. Throws std::runtime_error if it does not start or the script
  /// does not run; RenderEnded, RenderLate.
  RenderProcess(const std::string& program, const std::string& script, const std::string& name, RenderDeadline until);
  ~RenderProcess();
  RenderProcess(const RenderProcess&) = delete;
  RenderProcess& operator=(const RenderProcess&) = delete;

  /// Calls a function of the script. After it throws, the process is unusable. Throws RenderEnded, RenderLate.
  RenderMessage call(std::string_view function, std::string_view json, RenderDeadline until);
  /// Ends the process if it still runs, and returns how it ended: "signal 11". REQUIRES: no call follows.
  std::string end();
  pid_t pid() const { return pid_; }
  /// Returns how many of the last calls failed one after the other. The constructor's call counts as a success.
  int failures() const { return failures_; }

 private:
  int socket_ = -1;
  pid_t pid_ = -1;  // -1: it has been waited for
  int failures_ = 0;
};

}  // namespace tonearm::web
