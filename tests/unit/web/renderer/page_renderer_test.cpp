#include "renderer/page_renderer.h"

#include <doctest/doctest.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "system/child_process.h"
#include "system/work_deadline.h"

namespace tonearm::web {
namespace {

constexpr const char* kScript = R"js(
  var calls = 0;
  var site = {
    echo: (json) => json,
    fails: () => { throw new Error('no title \u266a'); },
    count: () => String(++calls),
    loops: () => { for (;;) calls += 1; },
    objects: () => { let made = []; for (let i = 0; i < 50000; i++) made.push({ i }); return String(made.length); },
  };
)js";

/// The program is beside that of the tests.
PageRenderer::Options options(const std::string& script, std::size_t processes = 1) {
  return {
      .script = script, .name = "test.js", .processes = processes, .program = native::sibling_program("tonearm-web")};
}

TEST_SUITE("web: renderer") {
  TEST_CASE("calls a function of the script with JSON (WEB-15)") {
    PageRenderer renderer(options(kScript));
    CHECK(renderer.call("echo", R"({"title":"Caf\u00e9 \ud83c\udfb5 Ä"})") ==
          R"({"title":"Caf\u00e9 \ud83c\udfb5 Ä"})");
    CHECK(renderer.call("echo", "") == "");
    CHECK(renderer.call("count", "") == "1");
    CHECK(renderer.call("count", "") == "2");
    CHECK(renderer.call("objects", "") == "50000");
  }

  TEST_CASE("reports a script that does not run, and a function that throws or is missing") {
    CHECK_THROWS_WITH_AS(PageRenderer(options("var site = ;")),
                         doctest::Contains("the page script failed: SyntaxError"), std::runtime_error);
    CHECK_THROWS_AS(PageRenderer(options("var other = {};")), std::runtime_error);
    PageRenderer renderer(options(kScript));
    CHECK_THROWS_WITH_AS(renderer.call("fails", ""), "the page script failed: Error: no title \u266a",
                         std::runtime_error);
    CHECK_THROWS_AS(renderer.call("missing", ""), std::runtime_error);
    CHECK(renderer.call("echo", "1") == "1");
  }

  TEST_CASE("a process that ends is replaced, and its call is repeated (WEB-48)") {
    int ends = 0;
    auto counted = options(kScript);
    counted.on_end = [&](const std::string& reason) {
      CHECK(reason == "the process that renders pages ended: signal 9");
      ++ends;
    };
    PageRenderer renderer(counted);
    for (int i = 1; i <= 3; ++i) {
      for (const auto pid : renderer.pids()) kill(pid, SIGKILL);
      CHECK(renderer.call("count", "") == "1");
      CHECK(ends == i);
    }
    CHECK(renderer.call("count", "") == "2");
    counted.program = "/nonexistent";
    CHECK_THROWS_AS(PageRenderer{counted}, std::runtime_error);
    counted.program = "/bin/true";
    CHECK_THROWS_WITH_AS(PageRenderer{counted}, "the process that renders pages ended", std::runtime_error);
  }

  TEST_CASE("a process that does not answer in time is replaced, and its call is not repeated (WEB-48)") {
    std::vector<std::string> ends;
    auto hurried = options(kScript);
    hurried.on_end = [&](const std::string& reason) { ends.push_back(reason); };
    PageRenderer renderer(hurried);
    {
      const native::WorkDeadline deadline(std::chrono::steady_clock::now() + std::chrono::milliseconds(200));
      CHECK_THROWS_WITH_AS(renderer.call("loops", ""), "the process that renders pages did not answer in time",
                           RenderLate);
    }
    CHECK(ends.size() == 1);
    CHECK(renderer.call("echo", "1") == "1");
    std::thread busy([&] {
      const native::WorkDeadline deadline(std::chrono::steady_clock::now() + std::chrono::milliseconds(1'500));
      CHECK_THROWS_AS(renderer.call("loops", ""), RenderLate);
    });
    while (!renderer.pids().empty()) std::this_thread::yield();
    {
      const native::WorkDeadline deadline(std::chrono::steady_clock::now() + std::chrono::milliseconds(100));
      CHECK_THROWS_AS(renderer.call("echo", "2"), RenderLate);
    }
    busy.join();
    CHECK(renderer.call("echo", "3") == "3");
  }

  TEST_CASE("a process whose script throws in three calls is replaced (WEB-48)") {
    std::vector<std::string> ends;
    auto watched = options(kScript);
    watched.on_end = [&](const std::string& reason) { ends.push_back(reason); };
    PageRenderer renderer(watched);
    const auto first = renderer.pids();
    for (int i = 0; i < 2; ++i) CHECK_THROWS_AS(renderer.call("fails", ""), std::runtime_error);
    CHECK(renderer.call("count", "") == "1");
    for (int i = 0; i < 2; ++i) CHECK_THROWS_AS(renderer.call("fails", ""), std::runtime_error);
    CHECK(renderer.pids() == first);
    CHECK_THROWS_AS(renderer.call("fails", ""), std::runtime_error);
    REQUIRE(ends.size() == 1);
    CHECK(ends[0].starts_with("the script failed in three calls: the page script failed: Error: no title"));
    CHECK(renderer.call("count", "") == "1");
  }

  TEST_CASE("a process gets no secrets of the environment (WEB-48)") {
    setenv("TONEARM_STORE", "postgresql://name:secret@host/people", 1);
    PageRenderer renderer(options(kScript));
    unsetenv("TONEARM_STORE");
    std::ifstream file("/proc/" + std::to_string(renderer.pids().front()) + "/environ");
    const std::string environment(std::istreambuf_iterator<char>(file), {});
    CHECK(environment.find("PATH=") != std::string::npos);
    CHECK(environment.find("secret") == std::string::npos);
  }

  TEST_CASE("large pages arrive whole (WEB-48)") {
    PageRenderer renderer(options(kScript));
    const std::string large(20'000'000, 'x');  // NOLINT(bugprone-string-constructor): meant to be large
    CHECK(renderer.call("echo", large) == large);
  }

  TEST_CASE("answers more concurrent calls than it has processes") {
    PageRenderer renderer(options(kScript, 2));
    std::vector<std::thread> threads;
    std::vector<std::string> answers(8);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      threads.emplace_back([&, i] {
        for (int round = 0; round < 20; ++round) answers[i] = renderer.call("echo", std::to_string(i));
      });
    }
    for (auto& thread : threads) thread.join();
    for (std::size_t i = 0; i < answers.size(); ++i) CHECK(answers[i] == std::to_string(i));
  }
}

}  // namespace
}  // namespace tonearm::web
