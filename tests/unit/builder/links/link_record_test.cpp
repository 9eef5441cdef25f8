#include "links/link_record.h"

#include <doctest/doctest.h>

#include "scratch_folder.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

LinkRecord failing() {
  LinkRecord record;
  record.state = LinkState::unreachable;
  record.reason = "no answer in time";
  record.checked_s = 1'700'000'000;
  record.failures = 2;
  record.failing_since_s = 1'699'000'000;
  return record;
}

LinkRecord page() {
  LinkRecord record;
  record.reason = "200";
  record.checked_s = 1'700'000'001;
  record.licenses = {"https://creativecommons.org/licenses/by/4.0/"};
  return record;
}

}  // namespace

// LINK-3
TEST_CASE("results of a check are read as written") {
  const test::ScratchFolder folder;
  const std::string path = folder.path("links.jsonl");
  {
    LinkJournal journal(path);
    journal.append("https://a.example/\"x\"", page());
    journal.append("https://b.example/", page());
    journal.append("https://b.example/", failing());
  }
  const LinkRecords expected{{"https://a.example/\"x\"", page()}, {"https://b.example/", failing()}};
  CHECK(read_link_records(path) == expected);
  LinkJournal(path).compact(expected);
  CHECK(read_link_records(path) == expected);
  CHECK(folder.read("links.jsonl") ==
        link_line("https://a.example/\"x\"", page()) + "\n" + link_line("https://b.example/", failing()) + "\n");
}

TEST_CASE("an incomplete last line is dropped, and the next one begins a new line") {
  const test::ScratchFolder folder;
  const std::string path = folder.path("links.jsonl");
  const std::string line = link_line("https://a.example/", page()) + "\n";
  for (std::size_t size = 1; size < line.size() - 1; size += 7) {
    CAPTURE(size);
    folder.write("links.jsonl", line + link_line("https://b.example/", page()).substr(0, size));
    CHECK(read_link_records(path).size() == 1);
    LinkJournal(path).append("https://c.example/", page());
    CHECK(folder.read("links.jsonl") == line + link_line("https://c.example/", page()) + "\n");
  }
}

TEST_CASE("a malformed file of results is rejected with the line") {
  const test::ScratchFolder folder;
  const std::string path = folder.path("links.jsonl");
  const std::string good = link_line("https://a.example/", page()) + "\n";
  for (const std::string bad :
       {"{}", "[]", "null", R"({"url":"https://x.example/","state":"lost","reason":"","checked_s":1})",
        R"({"url":"https://x.example/","state":"ok","reason":"","checked_s":-1})",
        R"({"url":"https://x.example/","state":"ok","reason":"","checked_s":1e300})",
        R"({"url":1,"state":"ok","reason":"","checked_s":1})"}) {
    CAPTURE(bad);
    folder.write("links.jsonl", std::string(good).append(bad).append("\n").append(good));
    CHECK_THROWS_WITH_AS(read_link_records(path), (path + ":2: is not a result of check-links").c_str(), Failure);
  }
  CHECK_THROWS_AS(read_link_records(folder.path("none")), Failure);
}

TEST_CASE("two checks cannot write the same file") {
  const test::ScratchFolder folder;
  const LinkJournal first(folder.path("links.jsonl"));
  CHECK_THROWS_WITH_AS(LinkJournal(folder.path("links.jsonl")),
                       (folder.path("links.jsonl") + ": another check is writing this file").c_str(), Failure);
}

TEST_CASE("a result that is nested deeply is an error of its line") {
  const test::ScratchFolder folder;
  const std::string deep(40'000, '[');
  const auto path = folder.write("links.jsonl", link_line("https://a.example/", page()) + "\n{\"url\":" + deep + "\n" +
                                                    link_line("https://b.example/", page()) + "\n");
  CHECK_THROWS_WITH_AS(read_link_records(path), doctest::Contains(":2"), Failure);
}

}  // namespace tonearm::builder
