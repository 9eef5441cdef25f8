#include "admin/export_file.h"

#include <doctest/doctest.h>

#include <vector>

#include "scratch_folder.h"

namespace tonearm::native {
namespace {

constexpr std::int64_t kMadeMs = 1'768'478'400'000;

std::string small_file(const test::ScratchFolder& folder) {
  const std::string path = folder.path("export");
  ExportFileWriter writer(path, "abc", kMadeMs);
  writer.append(R"({"type":"account"})");
  writer.append(R"({"type":"key"})");
  writer.finish();
  return folder.read("export");
}

std::string refusal_of(const std::string& path) {
  try {
    const ExportFileReader reader(path);
  } catch (const std::runtime_error& failure) {
    return failure.what();
  }
  return {};
}

}  // namespace

// MOVE-1, MOVE-2
TEST_CASE("An export file can be read repeatedly as it was written") {
  const test::ScratchFolder folder;
  const std::string bytes = small_file(folder);
  CHECK(bytes.starts_with(
      R"({"format":"tonearm-state","version":1,"made":"2026-01-15T12:00:00Z","key_secret_sha256":"abc"})"
      "\n"));
  CHECK(bytes.find(R"({"type":"end","lines":3,"sha256":")") != std::string::npos);
  const ExportFileReader reader(folder.path("export"));
  CHECK(reader.key_secret_sha256() == "abc");
  for (int time = 0; time < 2; ++time) {
    std::vector<std::string> lines;
    reader.read(
        [&](std::uint64_t number, const std::string& line) { lines.push_back(std::to_string(number) + ' ' + line); });
    CHECK(lines == std::vector<std::string>{R"(2 {"type":"account"})", R"(3 {"type":"key"})"});
  }
}

// MOVE-2
TEST_CASE("An export file is refused if it is truncated anywhere or any byte is altered") {
  const test::ScratchFolder folder;
  const std::string good = small_file(folder);
  for (std::size_t size = 0; size < good.size(); ++size) {
    CAPTURE(size);
    CHECK(!refusal_of(folder.write("bad", good.substr(0, size))).empty());
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    CAPTURE(at);
    for (const char flip : {'\x01', '\x20'}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ flip);
      CHECK(!refusal_of(folder.write("bad", bad)).empty());
    }
  }
  CHECK(!refusal_of(folder.write("bad", good + "\n")).empty());
  CHECK(!refusal_of(folder.write("bad", good + good)).empty());
  CHECK(refusal_of(folder.path("export")).empty());
}

TEST_CASE("The error names the refused export file and the problem") {
  const test::ScratchFolder folder;
  const auto contains = [&](const std::string& bytes, const std::string& part) {
    const std::string refusal = refusal_of(folder.write("bad", bytes));
    CAPTURE(refusal);
    CHECK(refusal.starts_with(folder.path("bad")));
    CHECK(refusal.find(part) != std::string::npos);
  };
  contains("", "is empty");
  contains("\n", "is not an exported state");
  contains(R"({"format":"tonearm-state"})"
           "\n",
           "version none");
  contains(R"({"format":"tonearm-state","version":7})"
           "\n",
           "version 7");
  contains(std::string(5'000'000, 'x'), "too long");
  CHECK(refusal_of(folder.path("nowhere")).find("cannot open") != std::string::npos);
}

TEST_CASE("Invalid lines are never written, and an unfinished export leaves no file") {
  const test::ScratchFolder folder;
  {
    ExportFileWriter writer(folder.path("export"), "abc", kMadeMs);
    CHECK_THROWS_AS(writer.append("two\nlines"), std::runtime_error);
    CHECK_THROWS_AS(writer.append(""), std::runtime_error);
    CHECK(folder.file_count() == 1);
  }
  CHECK(folder.file_count() == 0);
}

}  // namespace tonearm::native
