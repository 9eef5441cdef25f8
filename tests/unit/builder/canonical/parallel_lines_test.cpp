#include "canonical/parallel_lines.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "packed.h"
#include "scratch_folder.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

std::string numbered_lines(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) {
    text += R"({"id":"t-)" + std::to_string(i) +
            R"(","kind":"sfx","title":"x","artist":"","duration_s":1,"license":"cc0","source":"a.example","odd":1})"
            "\n";
    if (i % 1000 == 0) text += "\n";  // a blank line, which counts as a line
  }
  return text;
}

TEST_CASE("lines are in the order of the file with their numbers, for any number of threads") {
  const test::ScratchFolder folder;
  const auto path = folder.write("lines.jsonl", numbered_lines(5'000));
  for (const std::uint32_t threads : {1U, 2U, 5U}) {
    ParallelLines lines(path, false, threads);
    int seen = 0;
    std::uint64_t bytes = 0;
    std::uint64_t odd = 0;
    while (const auto parsed = lines.next()) {
      bytes += parsed->bytes;
      for (const auto& [key, count] : parsed->unknown_keys) odd += key == "odd" ? count : 0;
      for (const auto& [number, line] : parsed->lines) {
        ++seen;
        REQUIRE(std::holds_alternative<Line>(line));
        REQUIRE(std::get<Line>(line).id == "t-" + std::to_string(seen));
        REQUIRE(number == static_cast<std::uint64_t>(seen + (seen - 1) / 1000));
      }
    }
    CHECK(seen == 5'000);
    CHECK(odd == 5'000);
    CHECK(bytes == std::filesystem::file_size(path));
  }
}

TEST_CASE("lines before a truncation are returned first") {
  const test::ScratchFolder folder;
  auto packed = test::gzipped(numbered_lines(5'000));
  packed.resize(packed.size() / 2);
  const auto path = folder.write("lines.jsonl.gz", packed);
  ParallelLines lines(path, false, 2);
  std::size_t seen = 0;
  const auto read_all = [&] {
    while (const auto parsed = lines.next()) seen += parsed->lines.size();
  };
  CHECK_THROWS_WITH_AS(read_all(), doctest::Contains("is truncated"), Failure);
  CHECK(seen > 1'000);
  CHECK_THROWS_AS(lines.next(), Failure);
}

}  // namespace
}  // namespace tonearm::builder
