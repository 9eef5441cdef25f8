#include "renderer/render_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <vector>

#include "renderer/render_worker.h"

namespace tonearm::web {
namespace {

/// Whether a variable of the environment is no secret: the others, such as the URL of a database, are not given to the
/// engine.
bool is_inherited(std::string_view variable) {
  constexpr std::array<std::string_view, 6> kNames{"PATH", "LANG", "TZ", "TMPDIR", "LD_LIBRARY_PATH", "LD_PRELOAD"};
  const auto name = variable.substr(0, variable.find('='));
  return name.starts_with("LC_") || name.ends_with("SAN_OPTIONS") || std::ranges::find(kNames, name) != kNames.end();
}

/// Starts the program with the socket as its stdin. Signals to the whole group, such as that of Ctrl-C, are for the
/// site.
pid_t spawn(const std::string& program, int socket) {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  sigset_t blocked{};
  sigemptyset(&blocked);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&blocked, signal);
  posix_spawnattr_setsigmask(&attributes, &blocked);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::string name = "tonearm-web";
  std::string argument(kRenderWorker);
  std::array<char*, 3> words{name.data(), argument.data(), nullptr};
  std::vector<char*> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (is_inherited(*variable)) variables.push_back(*variable);
  }
  variables.push_back(nullptr);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, program.c_str(), &actions, &attributes, words.data(), variables.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw std::system_error(error, std::generic_category(), program);
  return pid;
}

}  // namespace

RenderProcess::RenderProcess(const std::string& program, const std::string& script, const std::string& name,
                             RenderDeadline until) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), "socketpair");
  }
  socket_ = ends[0];
  try {
    pid_ = spawn(program, ends[1]);
    close(std::exchange(ends[1], -1));
    const auto answer = call(name, script, until);
    if (answer.first != kRendered) throw std::runtime_error(answer.second);
  } catch (...) {
    if (ends[1] >= 0) close(ends[1]);
    end();
    throw;
  }
}

RenderProcess::~RenderProcess() { end(); }

RenderMessage RenderProcess::call(std::string_view function, std::string_view json, RenderDeadline until) {
  send_render_message(socket_, function, json, until);
  auto answer = receive_render_message(socket_, until);
  failures_ = answer.first == kRendered ? 0 : failures_ + 1;
  return answer;
}

std::string RenderProcess::end() {
  constexpr std::chrono::milliseconds kStep{10};
  constexpr int kSteps = 20;
  if (socket_ >= 0) close(std::exchange(socket_, -1));
  if (pid_ < 0) return {};
  const auto pid = std::exchange(pid_, -1);
  int status = 0;
  pid_t ended = waitpid(pid, &status, WNOHANG);
  // A process that failed, or reads that its socket is closed, is about to end.
  for (int i = 0; i < kSteps && ended == 0; ++i) {
    std::this_thread::sleep_for(kStep);
    ended = waitpid(pid, &status, WNOHANG);
  }
  if (ended == 0) {
    kill(pid, SIGKILL);
    ended = waitpid(pid, &status, 0);
  }
  if (ended != pid) return "unknown status";
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return "status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace tonearm::web
