#include "login/browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>

namespace tonearm::cli {

bool open_in_browser(const std::string& url) {
  std::string program = "xdg-open";
  std::string argument = url;
  const std::array<char*, 3> words{program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDWR, 0);
  ::posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  // A browser that this starts must outlive Ctrl-C.
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, program.c_str(), &files, &attributes, words.data(), environ);
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&files);
  return error == 0;
}

}  // namespace tonearm::cli
