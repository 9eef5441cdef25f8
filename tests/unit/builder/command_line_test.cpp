#include "command_line.h"

#include <doctest/doctest.h>

#include <map>

#include "failure.h"
#include "scratch_folder.h"

namespace tonearm::builder {
namespace {

using Variables = std::map<std::string, std::string>;

std::variant<Request, EarlyEnd> parse(const std::vector<std::string>& arguments, const Variables& variables = {}) {
  return parse_command_line(arguments, [&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

Request request(const std::vector<std::string>& arguments, const Variables& variables = {}) {
  auto parsed = parse(arguments, variables);
  if (const auto* end = std::get_if<EarlyEnd>(&parsed)) FAIL(end->error);
  return std::get<Request>(parsed);
}

int status(const std::vector<std::string>& arguments) {
  const auto parsed = parse(arguments);
  const auto* end = std::get_if<EarlyEnd>(&parsed);
  return end == nullptr ? -1 : end->status;
}

}  // namespace

TEST_CASE("flags of build are read, inputs in their order") {
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

TEST_CASE("a flag stands above the environment, and that above the file") {
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
  const auto other = request({"build", "--config", config}, more).build;
  CHECK(other.inputs.size() == 3);
  CHECK_FALSE(other.strict);
  CHECK(request({"build", "--config", config, "--input", "flag.jsonl"}, more).build.inputs.size() == 1);
}

TEST_CASE("a switch may be given its value, and off stands above the environment") {
  const std::vector<std::string> base{"build", "--input", "x", "--output", "o"};
  const auto with = [&](const std::string& flag) {
    auto arguments = base;
    arguments.push_back(flag);
    return request(arguments, {{"TONEARM_ALLOW_SHARE_ALIKE", "true"}}).build.allow_share_alike;
  };
  CHECK(with("--allow-share-alike=true"));
  CHECK_FALSE(with("--allow-share-alike=false"));
  CHECK(with("--strict"));
  CHECK(status({"build", "--input", "x", "--output", "o", "--strict=perhaps"}) == 2);
}

TEST_CASE("help and version end with 0, a wrong command line with 2") {
  CHECK(status({"--help"}) == 0);
  CHECK(status({"build", "--help"}) == 0);
  CHECK(std::get<EarlyEnd>(parse({"--version"})).out == "tonearm-catalog " TONEARM_VERSION "\n");
  const std::vector<std::vector<std::string>> wrong{{},
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
                                                    {"inspect"},
                                                    {"verify"},
                                                    {"verify", "a", "b"}};
  for (const auto& arguments : wrong) CHECK(status(arguments) == 2);
}

TEST_CASE("what is not available is refused, never ignored") {
  CHECK_THROWS_WITH_AS(parse({"build", "--input", "x", "--output", "o", "--signing-key", "k"}),
                       doctest::Contains("not available"), Failure);
  const test::ScratchFolder folder;
  CHECK_THROWS_WITH_AS(parse({"build", "--config", folder.write("c.toml", "colour = 1")}), doctest::Contains("colour"),
                       Failure);
}

TEST_CASE("inspect and verify take one file") {
  CHECK(request({"verify", "f"}).command == Command::verify);
  const auto inspect = request({"inspect", "--json", "f"});
  CHECK(inspect.command == Command::inspect);
  CHECK(inspect.json);
  CHECK(inspect.snapshot == "f");
}

}  // namespace tonearm::builder
