#include "renderer/page_renderer.h"

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tonearm::web {
namespace {

constexpr const char* kScript = R"js(
  var calls = 0;
  var site = {
    echo: (json) => json,
    fails: () => { throw new Error('no title \u266a'); },
    count: () => String(++calls),
    objects: () => { let made = []; for (let i = 0; i < 50000; i++) made.push({ i }); return String(made.length); },
  };
)js";

/// The program is beside that of the tests.
PageRenderer::Options options(const std::string& script, std::size_t processes = 1) {
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  return {.script = script, .name = "test.js", .processes = processes, .program = folder / "tonearm-web"};
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
    counted.on_end = [&] { ++ends; };
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

  TEST_CASE("large pages arrive whole (WEB-48)") {
    PageRenderer renderer(options(kScript));
    const std::string large(20'000'000, 'x');
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
