#include "files/open_file.h"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <vector>

#include "scratch_folder.h"

namespace tonearm::web {
namespace {

void write(const std::string& path, std::string_view text) { std::ofstream(path, std::ios::binary) << text; }

std::string body_of(const Response& response) {
  if (response.source == nullptr) return response.body;
  std::string body(static_cast<std::size_t>(response.source->size()), '\0');
  body.resize(response.source->read(body));
  return body;
}

RequestHead get(Headers headers = {}) { return {"GET", "/x", std::move(headers)}; }

constexpr FileHeaders kHeaders{"text/plain", "no-cache"};

TEST_SUITE("web: files") {
  TEST_CASE("a name cannot leave its folder (WEB-12)") {
    const test::ScratchFolder scratch;
    const std::string folder = scratch.path("inside");
    std::filesystem::create_directory(folder);
    write(scratch.path("secret"), "secret");
    write(folder + "/a.txt", "text");
    std::filesystem::create_symlink(scratch.path("secret"), folder + "/link.txt");
    std::filesystem::create_directory(folder + "/folder");
    CHECK(OpenFile::open_in(folder, "a.txt") != nullptr);
    const std::string with_zero("a.txt\0", 6);
    for (const std::string& name :
         std::vector<std::string>{"../secret", "..", ".", "", "link.txt", "folder", "folder/x", "/etc/passwd", ".a",
                                  with_zero, "%2e%2e", "a txt"}) {
      CAPTURE(name);
      CHECK(OpenFile::open_in(folder, name) == nullptr);
    }
  }

  TEST_CASE("answers with a whole file, a range, or 304 (WEB-13)") {
    const test::ScratchFolder scratch;
    write(scratch.path("a"), "0123456789");
    const auto file = OpenFile::open(scratch.path("a"));
    REQUIRE(file != nullptr);
    const auto whole = answer_file(get(), file, kHeaders);
    CHECK(whole.status == 200);
    CHECK(body_of(whole) == "0123456789");
    const auto part = answer_file(get({{"Range", "bytes=2-4"}}), file, kHeaders);
    CHECK(part.status == 206);
    CHECK(body_of(part) == "234");
    CHECK(*find_header(part.headers, "Content-Range") == "bytes 2-4/10");
    const auto beyond = answer_file(get({{"Range", "bytes=10-"}}), file, kHeaders);
    CHECK(beyond.status == 416);
    CHECK(*find_header(beyond.headers, "Content-Range") == "bytes */10");
    CHECK(answer_file(get({{"If-None-Match", file->entity_tag()}}), file, kHeaders).status == 304);
    const Headers same{{"Range", "bytes=2-4"}, {"If-Range", file->entity_tag()}};
    CHECK(answer_file(get(same), file, kHeaders).status == 206);
    const std::string tag = file->entity_tag();
    const std::array<std::string, 3> others{"\"other\"", "W/" + tag, "Sun, 06 Nov 1994 08:49:37 GMT"};
    for (const auto& other : others) {
      CHECK(answer_file(get({{"Range", "bytes=2-4"}, {"If-Range", other}}), file, kHeaders).status == 200);
    }
  }

  TEST_CASE("a replaced file has a new entity tag and does not affect readers of the old one (WEB-13)") {
    const test::ScratchFolder scratch;
    write(scratch.path("a"), "0123456789");
    const auto old = OpenFile::open(scratch.path("a"));
    write(scratch.path("b"), "abcdefghij");
    std::filesystem::rename(scratch.path("b"), scratch.path("a"));
    const auto next = OpenFile::open(scratch.path("a"));
    CHECK(old->entity_tag() != next->entity_tag());
    CHECK(body_of(answer_file(get(), old, kHeaders)) == "0123456789");
    CHECK(body_of(answer_file(get(), next, kHeaders)) == "abcdefghij");
  }
}

}  // namespace
}  // namespace tonearm::web
