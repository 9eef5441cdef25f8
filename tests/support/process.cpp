#include "process.h"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

namespace tonearm::test {
namespace {

constexpr int kCannotStart = 127;
constexpr int kSignalled = 128;

/// Runs in the child between fork and exec: only system calls are allowed.
[[noreturn]] void become(char* const* command, const passwd* user, const char* output) {
  if (user != nullptr && (setgroups(0, nullptr) != 0 || setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0)) {
    _exit(kCannotStart);
  }
  prctl(PR_SET_PDEATHSIG, SIGINT);  // after setuid, which clears it
  if (*output != '\0') {
    constexpr mode_t kMode = 0644;
    const int file = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kMode);
    if (file < 0 || dup2(file, STDOUT_FILENO) < 0 || dup2(file, STDERR_FILENO) < 0) _exit(kCannotStart);
  }
  execvp(command[0], command);
  _exit(kCannotStart);
}

int exit_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalled + WTERMSIG(status); }

}  // namespace

Process::Process(const std::vector<std::string>& command, const ProcessOptions& options) {
  std::vector<char*> words;
  words.reserve(command.size() + 1);
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const passwd* user = options.user.empty() ? nullptr : getpwnam(options.user.c_str());
  if (!options.user.empty() && user == nullptr) throw std::runtime_error("there is no user " + options.user);
  id_ = fork();
  if (id_ < 0) throw std::runtime_error(std::string("no new process: ") + std::strerror(errno));
  if (id_ == 0) become(words.data(), user, options.output.c_str());
}

Process::~Process() {
  if (runs()) stop(SIGKILL);
}

bool Process::runs() {
  if (id_ > 0 && waitpid(id_, &status_, WNOHANG) == id_) id_ = 0;
  return id_ > 0;
}

int Process::wait() {
  while (id_ > 0) {
    if (waitpid(id_, &status_, 0) == id_) id_ = 0;
  }
  return exit_status(status_);
}

int Process::stop(int signal) {
  if (id_ > 0) kill(id_, signal);
  return wait();
}

void run_program(const std::vector<std::string>& command, const ProcessOptions& options) {
  const int status = Process(command, options).wait();
  if (status != 0) throw std::runtime_error(command.at(0) + " ended with status " + std::to_string(status));
}

}  // namespace tonearm::test
