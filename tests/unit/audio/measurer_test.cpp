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

/// Returns the signal that ends a process during the step; 0 if none does.
int signal_that_ends(const std::function<void()>& step) {
  const auto child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (const int signal : {SIGINT, SIGTERM})
      ::signal(signal, SIG_DFL);  // the handlers of the test runner are for the parent
    step();
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace

TEST_CASE("files are measured in order, equally by any number of threads, and unchanged files only once") {
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
  CHECK(files[2].error == "it is not a readable audio file");
  CHECK(files[2].sha256 == sha256_of("no sound"));
  CHECK_FALSE(files[2].measurements);
  CHECK(files[4].error == "the file cannot be read");
  CHECK(bytes > 2 * test::kRate);

  MeasurementCache other;
  const auto again = measure_files(paths, other, 4, nullptr);
  for (std::size_t i = 0; i < paths.size(); ++i) CHECK(again[i].measurements == files[i].measurements);

  // The next build uses the cache.
  MeasurementCache saved(folder.path("cache"));
  CHECK(saved.size() == 3);
  auto cached = *files[0].measurements;
  cached.key = "from the cache";
  saved.store(files[0].sha256, cached);
  CHECK(measure_files(paths, saved, 2, nullptr)[0].measurements->key == "from the cache");
}

TEST_CASE("an interrupted build keeps what it has measured (BUILD-14)") {
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
    "a step that fails after a signal ends by the signal; a second signal ends it at once; ignored signals have no "
    "effect") {
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
  const auto is_signaled_twice = [] {
    const native::StopSignals stop;
    ::raise(SIGTERM);
    ::raise(SIGINT);
    ::_exit(0);  // not reached
  };
  CHECK(signal_that_ends(is_signaled_twice) == SIGINT);
  const auto ignores = [] {
    ::signal(SIGINT, SIG_IGN);
    const native::StopSignals stop;
    ::raise(SIGINT);
  };
  CHECK(signal_that_ends(ignores) == 0);
}

}  // namespace tonearm::audio
