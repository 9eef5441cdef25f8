#include "tracks/record_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "fakes.h"
#include "scratch_folder.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

constexpr std::size_t kMoreThanBuffered = 2U << 20U;

/// Cuts the open file without a name in the folder.
void cut_file_in(const std::string& folder, off_t bytes) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code error;  // the iterator's own descriptor is closed meanwhile
    const auto target = std::filesystem::read_symlink(entry.path(), error).string();
    if (error || !target.starts_with(folder + "/")) continue;
    REQUIRE(::truncate(entry.path().c_str(), bytes) == 0);
    return;
  }
  FAIL("there is no open file in " << folder);
}

/// Returns the failure of `act` in a child process, or nothing.
template <class Act>
std::string failure_in_child(const test::ScratchFolder& folder, Act act) {
  const pid_t child = ::fork();
  if (child == 0) {
    try {
      act();
    } catch (const Failure& failure) {
      folder.write("failure", failure.what());
    }
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  return folder.read("failure");
}

}  // namespace

TEST_CASE("records of any size are read again, in the buffer and in the file") {
  const test::ScratchFolder folder;
  test::SeededRandom random(1);
  RecordFile file(folder.path());
  std::vector<std::pair<std::uint64_t, std::string>> written;
  for (int i = 0; i < 3000; ++i) {
    const auto size = i % 500 == 0 ? kMoreThanBuffered : random.below(3000);
    std::string record(size, static_cast<char>(i));
    written.emplace_back(file.append(record), record);
    const auto& [position, expected] = written[random.below(written.size())];
    CHECK((file.read(position) == expected));
  }
  RecordFile moved(std::move(file));
  for (const auto& [position, expected] : written) CHECK((moved.read(position) == expected));
  CHECK(folder.file_count() == 0);
}

TEST_CASE("a folder that is absent is a failure with its path") {
  const test::ScratchFolder folder;
  CHECK_THROWS_WITH_AS(RecordFile(folder.path("none")), doctest::Contains(folder.path("none").c_str()), Failure);
}

TEST_CASE("a full disk is a failure with the folder and the reason") {
  const test::ScratchFolder folder;
  const auto failure = failure_in_child(folder, [&] {
    ::signal(SIGXFSZ, SIG_IGN);
    RecordFile file(folder.path());
    const rlimit before{RLIM_INFINITY, RLIM_INFINITY};
    const rlimit limit{kMoreThanBuffered / 2, before.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    file.append(std::string(kMoreThanBuffered, 'x'));
  });
  CHECK(failure == folder.path() + ": a temporary file in this folder cannot be written: File too large");
}

TEST_CASE("a file that was cut is a failure, and nothing is read beyond its end") {
  const test::ScratchFolder folder;
  for (const off_t bytes : {0, 2, 100, 1600, 1'000'000}) {
    CAPTURE(bytes);
    RecordFile file(folder.path());
    const auto position = file.append(std::string(kMoreThanBuffered, 'x'));
    cut_file_in(folder.path(), bytes);
    CHECK_THROWS_WITH_AS(file.read(position), doctest::Contains("is shorter than"), Failure);
  }
}

}  // namespace tonearm::builder
