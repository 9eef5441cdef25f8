#include "renderer/render_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>
#include <system_error>

#include "renderer/render_worker.h"

namespace tonearm::web {
namespace {

constexpr timeval kAnswerTime{.tv_sec = 20, .tv_usec = 0};

/// Starts the program with the socket as its stdin, and without blocked signals.
pid_t spawn(const std::string& program, int socket) {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  sigset_t none{};
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  std::string name = "tonearm-web";
  std::string argument(kRenderWorker);
  std::array<char*, 3> words{name.data(), argument.data(), nullptr};
  pid_t pid = -1;
  const int error = posix_spawn(&pid, program.c_str(), &actions, &attributes, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw std::system_error(error, std::generic_category(), program);
  return pid;
}

}  // namespace

RenderProcess::RenderProcess(const std::string& program, const std::string& script, const std::string& name) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), "socketpair");
  }
  socket_ = ends[0];
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &kAnswerTime, sizeof kAnswerTime);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &kAnswerTime, sizeof kAnswerTime);
  try {
    pid_ = spawn(program, ends[1]);
  } catch (...) {
    close(ends[1]);
    close(socket_);
    throw;
  }
  close(ends[1]);
  const auto answer = call(name, script);
  if (answer && answer->first == kRendered) return;
  end();
  throw std::runtime_error(answer ? answer->second : "the process that renders pages ended");
}

RenderProcess::~RenderProcess() { end(); }

void RenderProcess::end() const {
  close(socket_);
  kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
}

std::optional<RenderMessage> RenderProcess::call(std::string_view function, std::string_view json) {
  if (!send_render_message(socket_, function, json)) return std::nullopt;
  return receive_render_message(socket_);
}

}  // namespace tonearm::web
