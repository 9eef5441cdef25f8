#include "monitoring/log.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "scratch_folder.h"

namespace tonearm::native {
namespace {

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

// HOST-23
TEST_CASE("A log that is reopened goes on in the file that its path names now") {
  const test::ScratchFolder folder;
  const auto path = folder.write("log", "before\n");
  const auto log = make_file_log(path);
  log->info("one");
  std::filesystem::rename(path, path + ".1");
  log->warning("two");
  log->reopen();
  log->error("three");
  CHECK(content(path + ".1").find(" info one\n") != std::string::npos);
  CHECK(content(path + ".1").starts_with("before\n"));
  CHECK(content(path + ".1").find(" warning two\n") != std::string::npos);
  CHECK(content(path).find(" error three\n") != std::string::npos);
  CHECK(content(path).find("two") == std::string::npos);
}

// HOST-23
TEST_CASE("A log file that cannot be opened again stays, and says so") {
  const test::ScratchFolder folder;
  const auto path = folder.write("log", "");
  const auto log = make_file_log(path);
  std::filesystem::rename(path, path + ".1");
  std::filesystem::create_directory(path);
  log->reopen();
  log->info("two");
  CHECK(content(path + ".1").find("cannot open the log file " + path) != std::string::npos);
  CHECK(content(path + ".1").find(" info two\n") != std::string::npos);
  CHECK_THROWS_WITH(make_file_log(path), doctest::Contains("cannot open the log file"));
}

}  // namespace tonearm::native
