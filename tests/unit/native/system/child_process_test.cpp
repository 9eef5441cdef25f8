#include "system/child_process.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "scratch_folder.h"
#include "tonearm/result.h"

namespace tonearm::native {
namespace {

TEST_CASE("a program gets its arguments as they are, and its exit status is returned") {
  CHECK(run_program("/bin/true", {}) == 0);
  CHECK(run_program("/bin/sh", {"-c", "[ \"$1\" = 'two words; $HOME' ] && exit 3", "sh", "two words; $HOME"}) == 3);
  CHECK_THROWS_WITH_AS(run_program("/bin/sh", {"-c", "kill -KILL $$"}), "/bin/sh: was ended by signal 9", Failure);
}

TEST_CASE("a program is awaited although its parent ignores SIGCHLD") {
  const auto before = ::signal(SIGCHLD, SIG_IGN);
  CHECK(run_program("/bin/sh", {"-c", "exit 3"}) == 3);
  const bool is_ignored = ::signal(SIGCHLD, before) == SIG_IGN;
  CHECK(is_ignored);
}

TEST_CASE("a program that does not start is a failure that names it") {
  CHECK_THROWS_WITH_AS(run_program("/nonexistent/program", {}),
                       "/nonexistent/program: cannot be started: No such file or directory", Failure);
  CHECK(std::filesystem::path(sibling_program("tonearm-demo")).parent_path() ==
        std::filesystem::read_symlink("/proc/self/exe").parent_path());
}

TEST_CASE("SIGTERM ends the program and the process that runs it") {
  const test::ScratchFolder folder;
  const auto started = folder.path("started");
  const auto stopped = folder.path("stopped");
  const auto parent = ::fork();
  REQUIRE(parent >= 0);
  if (parent == 0) {
    ::signal(SIGTERM, SIG_DFL);
    run_program("/bin/sh", {"-c", "trap 'touch \"$2\"; exit 1' TERM; touch \"$1\"; while :; do sleep 0.01; done", "sh",
                            started, stopped});
    ::_exit(0);
  }
  for (int i = 0; i < 1'000 && !std::filesystem::exists(started); ++i) ::usleep(10'000);
  ::kill(parent, SIGTERM);
  int status = 0;
  REQUIRE(::waitpid(parent, &status, 0) == parent);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGTERM);
  CHECK(std::filesystem::exists(stopped));
}

}  // namespace
}  // namespace tonearm::native
