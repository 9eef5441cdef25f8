#include "measuring/measurer.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <stdexcept>

#include "decoding/digest.h"
#include "scratch_folder.h"
#include "synthesis.h"
#include "system/stop_signals.h"

namespace tonearm::audio {
namespace {

/// The signal that ends a process that takes the step; 0: none does.
int signal_that_ends(const std::function<void()>& step) {
  const auto child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (const int signal : {SIGINT, SIGTERM}) ::signal(signal, SIG_DFL);  // the test runner's end with the parent
    step();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace

TEST_CASE("files are measured in their order, alike by any number of threads, and an unchanged one only once") {
  const test::ScratchFolder folder;
  const std::vector<std::string> paths{
      folder.write("b.wav", test::wav(test::tone(1, 440))),
      folder.write("a.wav", test::wav(test::clicks(5, 120), 2)),
      folder.write("c.wav", "no sound"),
      folder.write("d.wav", test::wav(test::noise(0.3, 1))),
      folder.path("absent.wav"),
  };
  MeasurementCache one(folder.path("cache"));
  std::uint64_t bytes = 0;
  const auto files = measure_files(paths, one, 1, [&](std::uint64_t more) { bytes += more; });
  REQUIRE(files.size() == paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) CHECK(files[i].path == paths[i]);
  CHECK(files[0].measurements->duration_ms == 1'000);
  CHECK(files[1].measurements->channels == 2);
  CHECK(files[2].error == "it is not an audio file that can be read");
  CHECK(files[2].sha256 == sha256_of("no sound"));
  CHECK_FALSE(files[2].measurements);
  CHECK(files[4].error == "the file cannot be read");
  CHECK(bytes > 2 * test::kRate);

  MeasurementCache other;
  const auto again = measure_files(paths, other, 4, nullptr);
  for (std::size_t i = 0; i < paths.size(); ++i) CHECK(again[i].measurements == files[i].measurements);

  // The next build finds the cache, and takes what it says.
  MeasurementCache saved(folder.path("cache"));
  CHECK(saved.size() == 3);
  auto told = *files[0].measurements;
  told.key = "told by the cache";
  saved.keep(files[0].sha256, told);
  CHECK(measure_files(paths, saved, 2, nullptr)[0].measurements->key == "told by the cache");
}

TEST_CASE("a build that is stopped keeps what it has measured (BUILD-14)") {
  for (const int signal : {SIGINT, SIGTERM}) {
    const test::ScratchFolder folder;
    const std::vector<std::string> paths{folder.write("a.wav", test::wav(test::tone(1, 440))),
                                         folder.write("b.wav", test::wav(test::tone(1, 660)))};
    const auto builds = [&] {
      MeasurementCache cache(folder.path("cache"));
      measure_files(paths, cache, 1, [&](std::uint64_t) { ::raise(signal); });
    };
    CHECK(signal_that_ends(builds) == signal);
    CHECK(MeasurementCache(folder.path("cache")).size() == 1);
  }
}

TEST_CASE(
    "a step that fails after a signal ends by the signal; a second signal ends it at once; an ignored one is none") {
  const auto fails = [] {
    try {
      const native::StopSignals stop;
      ::raise(SIGTERM);
      throw std::runtime_error("a disk that is full");
    } catch (const std::runtime_error&) {
      return;
    }
  };
  CHECK(signal_that_ends(fails) == SIGTERM);
  const auto is_told_twice = [] {
    const native::StopSignals stop;
    ::raise(SIGTERM);
    ::raise(SIGINT);
    ::_exit(0);  // it went on
  };
  CHECK(signal_that_ends(is_told_twice) == SIGINT);
  const auto ignores = [] {
    ::signal(SIGINT, SIG_IGN);
    const native::StopSignals stop;
    ::raise(SIGINT);
  };
  CHECK(signal_that_ends(ignores) == 0);
}

}  // namespace tonearm::audio
