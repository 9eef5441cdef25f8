#include "films/limited_process.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>

namespace tonearm::cli {

// CLI-28

namespace {

constexpr std::chrono::seconds kPatience{60};

/// What a process wrote, and how it ended.
struct Ended {
  std::string output;
  bool is_success = false;
  std::string error_line;
};

Ended run_shell(const std::string& script) {
  LimitedProcess process("/bin/sh", {"-c", script}, kPatience);
  Ended ended;
  std::array<char, 7> buffer{};
  for (auto count = process.read(buffer); count > 0; count = process.read(buffer))
    ended.output.append(buffer.data(), count);
  ended.is_success = process.finish();
  ended.error_line = process.error_line();
  return ended;
}

}  // namespace

TEST_CASE("the output of a limited process is read to its end, with its exit status") {
  const auto good = run_shell("echo the first line; echo the second");
  CHECK(good.output == "the first line\nthe second\n");
  CHECK(good.is_success);
  CHECK(good.error_line.empty());
  const auto bad = run_shell("echo part; printf 'why\\033[2J\\nmore\\n' >&2; exit 3");
  CHECK(bad.output == "part\n");
  CHECK_FALSE(bad.is_success);
  CHECK(bad.error_line == "why\\u001b[2J");
  CHECK(run_shell("kill -9 $$").error_line == "ended by signal 9");
  CHECK(run_shell("exec /nonexistent").is_success == false);
  CHECK(run_shell("while [ ${#a} -lt 9000 ]; do a=xxxxxxxxxxxxxxxx$a; done; echo $a >&2").error_line.size() == 200);
}

TEST_CASE("a limited process has no environment, input, files and privileges") {
  CHECK(run_shell("env | grep -cvE '^(PATH|LANG|PWD|SHLVL|_|OLDPWD)='").output == "0\n");
  CHECK(run_shell("ulimit -f; ulimit -c").output == "0\n0\n");
  CHECK(run_shell("ulimit -v").output == "2097152\n");
  CHECK(run_shell("wc -c").output == "0\n");
  const int inherited = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  REQUIRE(inherited > 2);
  CHECK(run_shell("for i in 3 4 5 6 7 8 9; do readlink /proc/self/fd/$i; done").output.empty());
  ::close(inherited);
  CHECK(run_shell("grep NoNewPrivs /proc/self/status").output == "NoNewPrivs:\t1\n");
}

TEST_CASE("a limited process ends with its status if signals of ended children were ignored") {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  CHECK(run_shell("true").is_success);
  CHECK_FALSE(run_shell("exit 3").is_success);
  std::signal(SIGCHLD, before);
}

TEST_CASE("a process that writes nothing is given up, and a missing program fails") {
  std::array<char, 8> buffer{};
  LimitedProcess process("/bin/sleep", {"600"}, std::chrono::milliseconds(50));
  CHECK_THROWS_AS(process.read(buffer), ProcessError);
  std::fflush(nullptr);  // under ThreadSanitizer the child of a fork writes what the parent's streams hold when it ends
  LimitedProcess missing("/nonexistent/program", {}, kPatience);
  CHECK(missing.read(buffer) == 0);
  CHECK_FALSE(missing.finish());
  CHECK(missing.error_line() == "does not start");
  CHECK(find_program("sh").starts_with('/'));
  CHECK(find_program("no-such-program").empty());
}

}  // namespace tonearm::cli
