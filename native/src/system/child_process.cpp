#include "system/child_process.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string>

#include "tonearm/result.h"

namespace tonearm::native {
namespace {

/// Blocks SIGINT, SIGTERM and SIGCHLD, so that the parent can wait for any of them.
class SignalWait {
 public:
  SignalWait() {
    ::sigemptyset(&waited_);
    for (const int signal : {SIGINT, SIGTERM, SIGCHLD}) ::sigaddset(&waited_, signal);
    ::pthread_sigmask(SIG_BLOCK, &waited_, &before_);
    // If the caller ignores SIGCHLD, the kernel reaps children and sends no signal.
    struct sigaction reported {};
    reported.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &reported, &child_action_before_);
  }
  ~SignalWait() {
    ::sigaction(SIGCHLD, &child_action_before_, nullptr);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SignalWait(const SignalWait&) = delete;
  SignalWait& operator=(const SignalWait&) = delete;

  const sigset_t& mask_before() const { return before_; }
  int wait() const {
    int signal = 0;
    ::sigwait(&waited_, &signal);
    return signal;
  }

 private:
  sigset_t waited_{};
  sigset_t before_{};
  struct sigaction child_action_before_ {};
};

pid_t start(const std::string& path, const std::vector<std::string>& arguments, const sigset_t& mask) {
  std::vector<char*> words{const_cast<char*>(path.c_str())};
  for (const auto& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  ::posix_spawnattr_setsigmask(&attributes, &mask);
  pid_t child = 0;
  const int error = ::posix_spawn(&child, path.c_str(), nullptr, &attributes, words.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) throw Failure(path + ": cannot be started: " + std::strerror(error));
  return child;
}

}  // namespace

std::string sibling_program(const std::string& name) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) throw Failure("/proc/self/exe: cannot be read: " + error.message());
  return (self.parent_path() / name).string();
}

int run_program(const std::string& path, const std::vector<std::string>& arguments) {
  int stop_signal = 0;
  int status = 0;
  {
    const SignalWait signals;
    const pid_t child = start(path, arguments, signals.mask_before());
    pid_t ended = 0;
    for (; ended == 0; ended = ::waitpid(child, &status, WNOHANG)) {
      const int signal = signals.wait();
      if (signal == SIGCHLD) continue;
      stop_signal = signal;
      ::kill(child, signal);
    }
    if (ended < 0) throw Failure(path + ": its exit status is unknown: " + std::strerror(errno));
  }
  if (stop_signal != 0) ::raise(stop_signal);
  if (WIFSIGNALED(status)) throw Failure(path + ": was ended by signal " + std::to_string(WTERMSIG(status)));
  return WEXITSTATUS(status);
}

}  // namespace tonearm::native
