#include "program/command_line.h"

#include <doctest/doctest.h>

#include <map>
#include <vector>

#include "scratch_folder.h"

namespace tonearm::builder {
namespace {

using settings::ExitStatus;
using Variables = std::map<std::string, std::string>;
using Words = std::vector<const char*>;

std::variant<Request, ExitStatus> parse(const Words& words, const Variables& variables = {}) {
  return parse_command_line(words, [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

Request request(const Words& words, const Variables& variables = {}) {
  auto parsed = parse(words, variables);
  if (const auto* end = std::get_if<ExitStatus>(&parsed)) FAIL(end->errors);
  return std::get<Request>(parsed);
}

int status(const Words& words) {
  const auto parsed = parse(words);
  const auto* end = std::get_if<ExitStatus>(&parsed);
  return end == nullptr ? -1 : end->status;
}

}  // namespace

// PROGRAM-5
TEST_CASE("flags of build are read, with inputs in order") {
  const auto build =
      request({"build", "--source", "incompetech:a:b", "--input", "x.jsonl", "--source", "mine.toml:/d", "--output",
               "o", "--strict", "--profile", "evaluation", "--allow-share-alike", "--media-url", "https://m.example"})
          .build;
  REQUIRE(build.inputs.size() == 3);
  CHECK(build.inputs[0].source == "incompetech");
  CHECK(build.inputs[0].path == "a:b");
  CHECK(build.inputs[1].source.empty());
  CHECK(build.inputs[1].path == "x.jsonl");
  CHECK(build.inputs[2].source == "mine.toml");
  CHECK(build.strict);
  CHECK(build.evaluation);
  CHECK(build.allow_share_alike);
  CHECK(build.site_url == "http://127.0.0.1:8080");
  CHECK(build.media_url == "https://m.example");
  CHECK_FALSE(build.synonyms);
}

TEST_CASE("PROGRAM-22: --folder is short for --source folder:DIR, in the order of the command line") {
  const auto inputs =
      request({"build", "--folder", "a:b", "--input", "x.jsonl", "--folder", "c", "--output", "o"}).build.inputs;
  REQUIRE(inputs.size() == 3);
  CHECK(inputs[0].source == kFolderSource);
  CHECK(inputs[0].path == "a:b");
  CHECK(inputs[1].source.empty());
  CHECK(inputs[2].source == kFolderSource);
  CHECK(inputs[2].path == "c");
}

TEST_CASE("settings of build also come from variables and a file, and lists from one layer") {
  const test::ScratchFolder folder;
  const auto config = folder.write(
      "c.toml", "input = ['file.jsonl']\noutput = 'file'\nreport = 'file'\npolicy = 'file'\nstrict = true\n");
  const Variables variables{{"TONEARM_OUTPUT", "env"}, {"TONEARM_REPORT", "env"}, {"TONEARM_CONFIG", config}};
  const auto build = request({"build", "--report", "flag"}, variables).build;
  CHECK(build.report == "flag");
  CHECK(build.output == "env");
  CHECK(build.policy == "file");
  CHECK(build.strict);
  REQUIRE(build.inputs.size() == 1);
  CHECK(build.inputs[0].path == "file.jsonl");
  const Variables more{{"TONEARM_INPUT", "a\nb"}, {"TONEARM_SOURCE", "x:y"}, {"TONEARM_STRICT", "false"}};
  const auto other = request({"build", "--config", config.c_str()}, more).build;
  CHECK(other.inputs.size() == 3);
  CHECK_FALSE(other.strict);
  CHECK(request({"build", "--config", config.c_str(), "--input", "flag.jsonl"}, more).build.inputs.size() == 1);
}

TEST_CASE("help and version exit with 0, a wrong command line with 2") {
  CHECK(status({"--help"}) == 0);
  CHECK(status({"build", "--help"}) == 0);
  CHECK(std::get<ExitStatus>(parse({"--version"})).out == "tonearm-catalog " TONEARM_VERSION "\n");
  const std::vector<Words> wrong{{},
                                 {"bake"},
                                 {"build"},
                                 {"build", "--output", "o"},
                                 {"build", "--input", "x"},
                                 {"build", "--input", "x", "--output", "o", "--fast"},
                                 {"build", "--input", "x", "--output", "o", "more"},
                                 {"build", "--input", "x", "--output", "o", "--output", "p"},
                                 {"build", "--source", "x", "--output", "o"},
                                 {"build", "--source", ":x", "--output", "o"},
                                 {"build", "--input", "x", "--output", "o", "--profile", "other"},
                                 {"build", "--input", "x", "--output", "o", "--site-url", "ftp://x"},
                                 {"inspect"},
                                 {"verify"},
                                 {"verify", "a", "b"}};
  for (const auto& words : wrong) CHECK(status(words) == 2);
}

TEST_CASE("help lists the options, and an unknown command is rejected") {
  const auto help = std::get<ExitStatus>(parse({"build", "--help"})).out;
  CHECK(help.find("--signing-key FILE") != std::string::npos);
  CHECK(help.find("--site-url URL") != std::string::npos);
  const auto unknown = std::get<ExitStatus>(parse({"nonsense", "--output", "d"}));
  CHECK(unknown.status == 2);
  CHECK(
      unknown.errors.starts_with("tonearm-catalog: there is no command nonsense; there are build, demo, inspect, "
                                 "verify, diff, check-links, log, fetch\n"));
}

// PROGRAM-22
TEST_CASE("build accepts folders of audio and the paths of previews and measurements") {
  const auto build =
      request({"build", "--source", "folder:/a", "--output", "o", "--media-output", "m", "--measurements", "c"});
  REQUIRE(build.build.inputs.size() == 1);
  CHECK(build.build.inputs.front().source == "folder");
  CHECK(build.build.inputs.front().path == "/a");
  CHECK(build.build.media_output == "m");
  CHECK(build.build.measurements == "c");
  CHECK(build.build.earlier.empty());
  const auto over = request({"build", "--source", "folder:/a", "--output", "o", "--earlier", "last"});
  CHECK(over.build.earlier == "last");
}

// PROGRAM-23
TEST_CASE("demo accepts a folder and the URLs of a build") {
  const auto demo = request({"demo", "--output", "d", "--media-url", "https://m.example/a"});
  CHECK(demo.command == Command::demo);
  CHECK(demo.folder == "d");
  CHECK(demo.build.media_url == "https://m.example/a");
  CHECK(demo.build.site_url == "http://127.0.0.1:8080");
  CHECK(status({"demo"}) == 2);
  CHECK(status({"demo", "--output", "d", "--media-url", "nowhere"}) == 2);
}

TEST_CASE("inspect and verify accept one file") {
  CHECK(request({"verify", "f"}).command == Command::verify);
  const auto inspect = request({"inspect", "--json", "f"});
  CHECK(inspect.command == Command::inspect);
  CHECK(inspect.json);
  CHECK(inspect.snapshot == "f");
}

}  // namespace tonearm::builder
