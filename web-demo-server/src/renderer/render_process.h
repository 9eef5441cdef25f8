#pragma once
// A process that runs the script which renders pages: a fault of the engine ends only this process. For one thread at a
// time.

#include <sys/types.h>

#include <optional>
#include <string>

#include "renderer/render_messages.h"

namespace tonearm::web {

class RenderProcess {
 public:
  /// Starts `program` with the argument kRenderWorker. Throws std::runtime_error if it does not start or the script
  /// does not run.
  RenderProcess(const std::string& program, const std::string& script, const std::string& name);
  ~RenderProcess();
  RenderProcess(const RenderProcess&) = delete;
  RenderProcess& operator=(const RenderProcess&) = delete;

  /// Calls a function of the script. Returns nullopt if the process ended or did not answer in time; it is then
  /// unusable.
  std::optional<RenderMessage> call(std::string_view function, std::string_view json);
  pid_t pid() const { return pid_; }

 private:
  void end() const;

  int socket_ = -1;
  pid_t pid_ = -1;
};

}  // namespace tonearm::web
