#include "files/toml_depth.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "files/toml_table.h"
#include "tonearm/result.h"

namespace tonearm::native {
namespace {

std::string repeated(int times, const std::string& text) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

std::string dotted(int parts) { return "a" + repeated(parts - 1, ".a"); }

std::string failure_of(const std::string& text) {
  try {
    parse_toml(text, "hostile.toml");
  } catch (const Failure& failure) {
    return failure.what();
  }
  return {};
}

}  // namespace

TEST_CASE("PROGRAM-28: TOML that is nested too deeply is refused before it is parsed, with file and line") {
  constexpr int kMany = 40'000;
  // Each form alone, and each right after strings and comments that contain quotes and brackets.
  const std::string before =
      "k = \"]#\\\"[\" # '\nl = '\\' # \"\nm = \"\"\"\n\"\" \\\"\"\"[\"\"\"\"\"\nn = '''\n[''\n'''\n";
  const std::vector<std::string> forms{
      dotted(kMany) + " = 1",
      "[" + dotted(kMany) + "]",
      "[[" + dotted(kMany) + "]]",
      "x = " + repeated(kMany, "["),
      "x = " + repeated(kMany, "{a=") + "1",
      "x = {" + dotted(kMany) + " = 1}",
      "x = [1, {" + dotted(kMany) + " = 1}]",
      "\"q\"" + repeated(kMany, " . 'q'") + " = 1",
      // Levels that are spread over header, key and value.
      "[" + dotted(30) + "]\n" + dotted(30) + " = {" + dotted(30) + " = 1}",
      "x = " + repeated(10, "{" + dotted(10) + " = "),
  };
  CHECK(failure_of(before).empty());
  for (const auto& form : forms) {
    CAPTURE(form.substr(0, 60));
    const auto lines = 1 + std::count(form.begin(), form.end(), '\n');
    CHECK(failure_of(form) == "hostile.toml:" + std::to_string(lines) + ": is nested deeper than 64 levels");
    CHECK(failure_of(before + form) ==
          "hostile.toml:" + std::to_string(lines + 7) + ": is nested deeper than 64 levels");
  }
}

TEST_CASE("TOML that is long but not deep is parsed") {
  const std::string many = repeated(10'000, "[[item]]\nkey.part = [[1.5, 2.5], [{x.y = 1}]] # [[[\n");
  for (const auto& text :
       {many, "x = \"" + repeated(1'000, "[{.") + "\"\n", "x = '''\n" + repeated(1'000, "[{.\n") + "'''\n",
        "x = [\n" + repeated(1'000, "[1.5], # ]\n[2.5],\n") + "]\n", "# " + repeated(1'000, "[.") + "\n",
        "[" + dotted(30) + "]\n" + dotted(30) + " = 1\n"}) {
    CAPTURE(text.substr(0, 60));
    CHECK(failure_of(text).empty());
  }
}

TEST_CASE("TOML of more than 16 MiB is refused") {
  CHECK(failure_of("# " + std::string(kTomlBytesMax, 'x')) == "hostile.toml: is longer than 16 MiB");
}

}  // namespace tonearm::native
