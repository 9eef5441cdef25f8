#include "monitoring/log.h"

#include <doctest/doctest.h>

#include <array>
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
TEST_CASE("A reopened log continues in the file that its path names now") {
  const test::ScratchFolder folder;
  const auto path = folder.write("log", "before\n");
  const auto log = open_log(path, LogFormat::text);
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
TEST_CASE("A log file that cannot be reopened stays in use, and the log reports it") {
  const test::ScratchFolder folder;
  const auto path = folder.write("log", "");
  const auto log = open_log(path, LogFormat::text);
  std::filesystem::rename(path, path + ".1");
  std::filesystem::create_directory(path);
  log->reopen();
  log->info("two");
  CHECK(content(path + ".1").find("cannot open the log file " + path) != std::string::npos);
  CHECK(content(path + ".1").find(" info two\n") != std::string::npos);
  CHECK_THROWS_WITH(open_log(path, LogFormat::text), doctest::Contains("cannot open the log file"));
}

// HOST-34
TEST_CASE("A JSON line is one object, whatever the message contains") {
  const test::ScratchFolder folder;
  const auto path = folder.write("log", "");
  const auto log = open_log(path, LogFormat::json);
  log->info("a \"b\" \\u0041\n{\x1b[2J \u202e\xff");
  const std::array<LogField, 3> fields{{{"request", "id"}, {"traceparent", ""}, {"more", "\""}}};
  log->request_error("what", fields);
  const auto text = content(path);
  const auto second = text.find('\n') + 1;
  CHECK(text.find(
            "\",\"level\":\"info\",\"message\":\"a \\\"b\\\" \\\\u0041\\u000a{\\u001b[2J \\u202e\xEF\xBF\xBD\"}\n") <
        second);
  CHECK(text.starts_with("{\"time\":\"2"));
  CHECK(text.substr(second).starts_with("{\"time\":\""));
  CHECK(text.ends_with("Z\",\"level\":\"error\",\"message\":\"what\",\"request\":\"id\",\"more\":\"\\\"\"}\n"));
}

// HOST-34
TEST_CASE("In a text line the fields follow the message") {
  const test::ScratchFolder folder;
  const auto path = folder.write("log", "");
  const std::array<LogField, 2> fields{{{"request", "i\nd"}, {"traceparent", ""}}};
  open_log(path, LogFormat::text)->request_error("what", fields);
  CHECK(content(path).ends_with(" error what request=i\\u000ad\n"));
}

}  // namespace tonearm::native
