#include "program/build.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "files/pinned_file.h"
#include "files/publication.h"
#include "review/inspection.h"
#include "scratch_folder.h"
#include "system/system_ports.h"
#include "tonearm/catalog.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

std::string line(int number, const std::string& more = {}, const std::string& license = "cc0") {
  return R"({"id":"x-)" + std::to_string(number) + R"(","kind":"sfx","title":"Rain )" + std::to_string(number) +
         R"(","artist":"Ann","duration_s":12,"license":")" + license + R"(","source":"a.example")" + more + "}\n";
}

Report build(const test::ScratchFolder& folder, const std::string& lines, BuildOptions options = {}) {
  native::OpensslHashing hashing;
  options.inputs.push_back({"", folder.write("in.jsonl", lines)});
  options.output = folder.path("out.sqlite");
  options.report = folder.path("report.json");
  return build_catalog(options, hashing);
}

std::shared_ptr<const Catalog> open(const test::ScratchFolder& folder, bool allow_evaluation = false) {
  const auto path = folder.path("out.sqlite");
  auto opened = Catalog::open(std::make_shared<const native::PinnedFile>(path), {.allow_evaluation = allow_evaluation});
  return opened ? *opened : nullptr;
}

std::string json_of(const Catalog& catalog, const std::string& id) {
  const auto position = catalog.find(id);
  REQUIRE(position);
  return std::string(catalog.render(std::vector<std::uint32_t>{*position}).front().json);
}

}  // namespace

TEST_CASE("a snapshot is built, verified, inspected and served from canonical lines") {
  const test::ScratchFolder folder;
  const auto report = build(folder, line(1, R"(,"preview_url":"1.mp3")") + line(2) + "\n" + line(3, "", "cc-by-4.0"));
  CHECK(report.track_count == 3);
  CHECK(report.by_license == Counts{{"cc-by-4.0", 1}, {"cc0", 2}});
  native::OpensslHashing hashing;
  CHECK(verify_file(folder.path("out.sqlite"), {}, hashing).find("ok, version " + report.version) != std::string::npos);
  const auto inspected = inspect_snapshot(folder.path("out.sqlite"), true);
  CHECK(inspected.starts_with(R"({"version":")" + report.version + R"(","track_count":3,"manifest":{)"));
  CHECK(inspected.find(R"("profile":"catalog")") != std::string::npos);
  CHECK(inspected.find(R"("site_url":"http://127.0.0.1:8080")") != std::string::npos);
  CHECK(inspected.find(R"("inputs":[{"role":"input","source":null,"name":"in.jsonl","files":1,)") != std::string::npos);
  CHECK(inspected.find(R"("signed_by":null,"signature_holds":null,)") != std::string::npos);
  CHECK(inspected.find(R"({"problem":"no_page_to_credit","count":1,"examples":["x-3"]})") != std::string::npos);
  CHECK(inspected.ends_with(R"("searchable_by_kind":{"music":0,"sfx":3},)"
                            R"("searchable_by_license":{"cc-by-4.0":1,"cc0":2},"tracks_by_source":{"a.example":3}})"
                            "\n"));
  CHECK(inspect_snapshot(folder.path("out.sqlite"), false).find("cc0  2") != std::string::npos);
  const auto catalog = open(folder);
  REQUIRE(catalog);
  CHECK(json_of(*catalog, "x-1").find(R"("preview_url":"http://127.0.0.1:8080/media/1.mp3")") != std::string::npos);
  CHECK(catalog->similar(*catalog->find("x-1"), {}, 20, 0).total == 2);
}

// BUILD-1
TEST_CASE("the same inputs build the same bytes") {
  const test::ScratchFolder first;
  const test::ScratchFolder second;
  std::string lines;
  for (int i = 0; i < 300; ++i) {
    lines += line(i, R"(,"tags":{"sfx":["t)" + std::to_string(i % 7) + R"("]},"quality":0.)" + std::to_string(i % 9));
  }
  CHECK(build(first, lines).version == build(second, lines).version);
  CHECK(first.read("out.sqlite") == second.read("out.sqlite"));
}

// LINE-4
TEST_CASE("a broken line is counted and reported with file, line, id and reason") {
  const test::ScratchFolder folder;
  const auto report = build(folder, line(1, R"(,"bitrate":3)") + "nonsense\n" + line(2, R"(,"tone":"cold")") + line(1) +
                                        line(4, "", "cc-by-sa-3.0") + line(5, R"(,"bitrate":4)"));
  CHECK(report.track_count == 2);
  CHECK(report.rejected_total() == 4);
  CHECK(report.broken_total() == 3);
  const auto json = folder.read("report.json");
  CHECK(json.find(R"("line":2,"id":null,"reason":"invalid_json")") != std::string::npos);
  CHECK(json.find(R"("line":3,"id":"x-2","reason":"tone_unknown")") != std::string::npos);
  CHECK(json.find(R"("line":4,"id":"x-1","reason":"duplicate_id")") != std::string::npos);
  CHECK(json.find(R"("line":5,"id":"x-4","reason":"share_alike")") != std::string::npos);
  CHECK(json.find("  \"unknown_keys\":{\n    \"bitrate\":2\n  },\n") != std::string::npos);
  CHECK(json.find(R"("version":")" + report.version + "\"") != std::string::npos);
}

TEST_CASE("BUILD-27: the summary shows the first five rejected lines with their reasons") {
  const test::ScratchFolder folder;
  std::string lines = line(1) + line(2, "", "cc-by-sa-3.0");
  for (int i = 3; i < 6; ++i) lines += line(i, R"(,"tone":"cold")");
  const auto few = build(folder, lines);
  std::string expected = "  rejected:\n";
  for (const auto& entry : few.broken_entries()) {
    expected +=
        "    " + folder.path("in.jsonl") + ":" + std::to_string(entry.line) + ": " + entry.rejection.message + "\n";
  }
  CHECK(few.broken_entries().size() == 3);
  CHECK(few.rejections() ==
        expected + "    " + folder.path("in.jsonl") + ":2: \"cc-by-sa-3.0\" is a ShareAlike license\n");
  for (int i = 6; i < 20; ++i) lines += "x\n";
  const auto many = build(folder, lines);
  const auto shown = many.rejections();
  CHECK(shown.starts_with("  rejected, the first 5 of 18 (--report lists more):\n"));
  CHECK(std::count(shown.begin(), shown.end(), '\n') == 6);
  CHECK(many.summary().find(shown) != std::string::npos);
  CHECK(build(folder, line(1)).rejections().empty());
}

TEST_CASE("BUILD-27: a table that is given as canonical lines is rejected with its columns") {
  const test::ScratchFolder folder;
  for (const std::string columns : {"title,licence", "title;licence", "title\tlicence"}) {
    CHECK_THROWS_WITH_AS(build(folder, columns + "\nRain,cc0\n"),
                         doctest::Contains(("with the columns " + columns).c_str()), Failure);
  }
  CHECK_THROWS_WITH_AS(build(folder, "nonsense\n"), doctest::Contains("no tracks to publish"), Failure);
  CHECK(build(folder, "title,licence\n" + line(1)).track_count == 1);
}

// BUILD-7
TEST_CASE("the report contains the first thousand entries and all counts") {
  const test::ScratchFolder folder;
  std::string lines = line(1);
  for (int i = 0; i < 1'200; ++i) lines += "x\n";
  const auto report = build(folder, lines);
  CHECK(report.broken_entries().size() == 1'000);
  CHECK(report.count(Reason::invalid_json) == 1'200);
  CHECK(folder.read("report.json").find(R"("left_out_not_listed":200,)") != std::string::npos);
}

TEST_CASE("lines that the policy rejects do not displace broken lines in the report") {
  const test::ScratchFolder folder;
  std::string lines = line(1);
  for (int i = 2; i < 1'203; ++i) lines += line(i, "", "cc-by-sa-4.0");
  const auto report = build(folder, lines + "x\n");
  REQUIRE(report.broken_entries().size() == 1);
  CHECK(report.broken_entries()[0].line == 1'203);
  const auto json = folder.read("report.json");
  CHECK(json.find(R"("left_out_not_listed":201,)") != std::string::npos);
  CHECK(json.find(R"("reason":"invalid_json")") < json.find(R"("reason":"share_alike")"));
  BuildOptions strict;
  strict.strict = true;
  CHECK_THROWS_WITH_AS(build(folder, lines + "x\n", strict), doctest::Contains("in.jsonl:1203"), Failure);
}

TEST_CASE("an id that is rejected for its license is not accepted under another") {
  const test::ScratchFolder folder;
  for (const auto* license : {"cc-by-nd-4.0", "cc-by-sa-4.0", "gpl-3.0", "cc-by"}) {
    CAPTURE(license);
    const auto report = build(folder, line(1) + line(2, "", license) + line(2));
    CHECK(report.track_count == 1);
    CHECK(report.count(Reason::duplicate_id) == 1);
  }
  BuildOptions options;
  options.policy = folder.write("policy.toml", "left_out_licenses = ['cc-by-nc-4.0']");
  CHECK(build(folder, line(1) + line(2, "", "cc-by-nc-4.0") + line(2), options).track_count == 1);
  // Other rejections do not block the id.
  CHECK(build(folder, line(2, R"(,"tone":"cold")", "cc-by-sa-4.0") + line(2)).track_count == 1);
  CHECK(build(folder, line(2, "", "") + line(2)).track_count == 1);
}

TEST_CASE("a build without tracks fails, and the old snapshot is unchanged") {
  const test::ScratchFolder folder;
  build(folder, line(1));
  const auto before = folder.read("out.sqlite");
  for (const auto& lines : {std::string(), line(1, "", "cc-by-sa-4.0")}) {
    CHECK_THROWS_WITH_AS(build(folder, lines), doctest::Contains("no tracks to publish"), Failure);
    CHECK(folder.read("out.sqlite") == before);
    CHECK(folder.read("report.json").find(R"("version":null)") != std::string::npos);
  }
  CHECK(folder.file_count() == 3);
}

TEST_CASE("an output must not be an input or another output, by any path or link") {
  const test::ScratchFolder folder;
  const auto input = folder.write("in.jsonl", line(1));
  std::filesystem::create_symlink(input, folder.path("link"));
  std::filesystem::create_directory_symlink(folder.path(), folder.path("here"));
  folder.write("policy.toml", "");
  folder.write("tracks.csv", "");
  folder.write("releases.csv", "");
  const auto failure = [&](const std::string& output, const std::string& report) -> std::string {
    BuildOptions options;
    options.inputs = {{"", input}, {"freemusi-cc", folder.path()}};
    options.output = output;
    options.report = report;
    options.policy = folder.path("policy.toml");
    native::OpensslHashing hashing;
    try {
      build_catalog(options, hashing);
    } catch (const Failure& caught) {
      return caught.what();
    }
    return "no failure";
  };
  const auto out = folder.path("out.sqlite");
  struct Case {
    std::string output;
    std::string report;
  };
  const Case overlaps[] = {
      {input, ""},
      {folder.path("link"), ""},
      {folder.path("here/in.jsonl"), ""},
      {out, folder.path("./in.jsonl")},
      {out, folder.path("policy.toml")},
      {out, folder.path("releases.csv")},
      {out, out},
      {out, folder.path("here/./out.sqlite")},
      {out, folder.path(".out.sqlite.partial")},
  };
  for (const auto& one : overlaps) {
    CAPTURE(one.output);
    CAPTURE(one.report);
    CHECK(failure(one.output, one.report).find("is also read or written") != std::string::npos);
  }
  REQUIRE(::mkfifo(folder.path("fifo").c_str(), 0600) == 0);
  std::filesystem::create_symlink("/dev/null", folder.path("null"));
  for (const auto& special : {std::string("/dev/null"), std::string("/dev/stdout"), std::string("/dev/fd/1"),
                              std::string("/dev/tonearm.json"), folder.path("fifo"), folder.path("null")}) {
    CAPTURE(special);
    CHECK(failure(special, "").find("is not a regular file") != std::string::npos);
    CHECK(failure(out, special).find("is not a regular file") != std::string::npos);
  }
  CHECK(failure(out, folder.path()).find("is a folder") != std::string::npos);
  CHECK(folder.read("in.jsonl") == line(1));
  CHECK(folder.file_count() == 8);
}

TEST_CASE(
    "--strict fails for a broken rule, not for lines that the policy rejects, and the old snapshot is unchanged") {
  const test::ScratchFolder folder;
  BuildOptions strict;
  strict.strict = true;
  const auto version = build(folder, line(1) + line(2, "", "cc-by-sa-4.0"), strict).version;
  const auto before = folder.read("out.sqlite");
  CHECK_THROWS_WITH_AS(build(folder, line(1) + "x\n", strict), doctest::Contains("in.jsonl:2"), Failure);
  CHECK(folder.read("out.sqlite") == before);
  CHECK(folder.read("report.json").find(R"("version":null)") != std::string::npos);
  CHECK(open(folder)->version() == version);
  CHECK(folder.file_count() == 3);
}

TEST_CASE("an unreadable input leaves the old snapshot unchanged and no other file") {
  const test::ScratchFolder folder;
  build(folder, line(1));
  const auto before = folder.read("out.sqlite");
  BuildOptions options;
  options.inputs.push_back({"", folder.path("missing.jsonl.gz")});
  CHECK_THROWS_WITH_AS(build(folder, line(2), options), doctest::Contains("missing.jsonl.gz"), Failure);
  options.inputs = {{"", folder.write("cut.gz", "\x1f\x8b\x08")}};
  CHECK_THROWS_WITH_AS(build(folder, line(2), options), doctest::Contains("cut.gz"), Failure);
  options.inputs = {{"nowhere", folder.path()}};
  CHECK_THROWS_AS(build(folder, line(2), options), Failure);
  CHECK(folder.read("out.sqlite") == before);
  CHECK(folder.file_count() == 4);
}

TEST_CASE("the next build takes over the partial files of a killed build") {
  const test::ScratchFolder folder;
  folder.write(".out.sqlite.partial", std::string(100'000, 'x'));
  folder.write(".out.sqlite.partial-journal", "old");
  const auto report = build(folder, line(1));
  native::OpensslHashing hashing;
  CHECK_NOTHROW(verify_file(folder.path("out.sqlite"), {}, hashing));
  CHECK(folder.file_count() == 3);
}

// BUILD-2
TEST_CASE("a build that is killed at any moment leaves the complete old or new snapshot" *
          doctest::test_suite("long")) {
  const test::ScratchFolder folder;
  std::string lines;
  for (int i = 0; i < 400; ++i) lines += line(i);
  const auto old_version = build(folder, lines).version;
  const auto old_bytes = folder.read("out.sqlite");
  for (unsigned wait_us = 500; wait_us < 200'000; wait_us = wait_us * 2 + 300) {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        build(folder, lines + line(1'000'000));
      } catch (...) {
      }
      ::_exit(0);
    }
    ::usleep(wait_us);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    native::OpensslHashing hashing;
    CHECK_NOTHROW(verify_file(folder.path("out.sqlite"), {}, hashing));
    if (open(folder)->version() == old_version) CHECK(folder.read("out.sqlite") == old_bytes);
  }
  const auto version = build(folder, lines + line(1'000'000)).version;
  CHECK(open(folder)->version() == version);
  CHECK_FALSE(std::filesystem::exists(folder.path(".out.sqlite.partial")));
}

TEST_CASE("one process at a time writes a file, and a path that is not writable is an error") {
  const test::ScratchFolder folder;
  native::Publication first(folder.path("x"));
  CHECK_THROWS_WITH_AS(native::Publication(folder.path("x")), doctest::Contains("another process"), Failure);
  CHECK_THROWS_WITH_AS(native::Publication(folder.path("none/x")), doctest::Contains("cannot be written"), Failure);
  CHECK_THROWS_WITH_AS(native::Publication(folder.path()), doctest::Contains("is a folder"), Failure);
  first.write("bytes");
  first.publish();
  CHECK(folder.read("x") == "bytes");
  { const native::Publication dropped(folder.path("x")); }
  CHECK(folder.read("x") == "bytes");
  CHECK(folder.file_count() == 1);
}

TEST_CASE("a full disk is an error that leaves the old snapshot unchanged") {
  if (::access("/dev/full", W_OK) != 0) return;
  const test::ScratchFolder folder;
  std::filesystem::create_symlink("/dev/full", folder.path(".report.json.partial"));
  build_catalog({.inputs = {{"", folder.write("in.jsonl", line(1))}},
                 .output = folder.path("out.sqlite"),
                 .report = {},
                 .policy = {},
                 .synonyms = {},
                 .media_url = {}},
                *std::make_unique<native::OpensslHashing>());
  const auto before = folder.read("out.sqlite");
  CHECK_THROWS_AS(build(folder, line(2)), Failure);  // a link is not followed
  CHECK(folder.read("out.sqlite") == before);
}

// BUILD-8
TEST_CASE("a policy offers licenses, rejects tags, and trusts sources") {
  const test::ScratchFolder folder;
  BuildOptions options;
  options.policy = folder.write("policy.toml",
                                "offered_licenses = ['cc0', 'cc-by-3.0']\nleft_out_tags = ['sfx:gunshot']\n"
                                "verified_sources = ['A.Example', 'b.example']\n");
  std::string elsewhere = line(4, R"(,"tags":{"genre":["gunshot"]})");
  elsewhere.replace(elsewhere.find("a.example"), 1, "c");
  const auto report =
      build(folder, line(1) + line(2, "", "cc-by-4.0") + line(3, R"(,"tags":{"sfx":["rain","gunshot"]})") + elsewhere,
            options);
  CHECK(report.count(Reason::policy_license) == 1);
  CHECK(report.count(Reason::policy_tag) == 1);
  CHECK(report.broken_total() == 0);
  const auto catalog = open(folder);
  CHECK(json_of(*catalog, "x-1").find(R"("status":"verified")") != std::string::npos);
  CHECK(json_of(*catalog, "x-4").find(R"("status":"listed")") != std::string::npos);
  CHECK(report.policy_unmatched.at("verified_sources") == std::vector<std::string>{"b.example"});
  CHECK(report.policy_unmatched.at("offered_licenses") == std::vector<std::string>{"cc-by-3.0"});
}

// BUILD-8
TEST_CASE("a policy rejects and takes down tracks, and the report counts them") {
  const test::ScratchFolder folder;
  BuildOptions options;
  options.policy = folder.write("policy.toml",
                                "left_out_licenses = ['cc-by-nc-3.0']\nleft_out_ids = ['x-2']\ntaken_down = ['x-3']\n");
  const auto report =
      build(folder, line(1, "", "cc-by-nc-3.0") + line(2) + line(3, R"(,"original_url":"3.wav")") + line(4), options);
  CHECK(report.count(Reason::policy_license) == 1);
  CHECK(report.count(Reason::policy_id) == 1);
  const auto catalog = open(folder);
  CHECK(catalog->track_count() == 2);
  CHECK(json_of(*catalog, "x-3").find(R"("original_url":null)") != std::string::npos);
  SearchQuery query;
  query.kind = Kind::sfx;
  CHECK(catalog->count(query) == 1);
  CHECK(catalog->similar(*catalog->find("x-4"), {}, 20, 0).total == 0);
  CHECK(report.policy_unmatched.empty());
  for (const auto* wrong : {"left_out_licenses = ['gpl']", "left_out_sources = ['https://a.example/']",
                            "offered_licenses = ['cc-by']", "verified_sources = ['x']", "left_out_tags = ['gunshot']",
                            "left_out_tags = ['colour:red']", "colour = 'red'", "taken_down = 3", "taken_down ="}) {
    options.policy = folder.write("wrong.toml", wrong);
    CAPTURE(wrong);
    CHECK_THROWS_WITH_AS(build(folder, line(1), options), doctest::Contains("wrong.toml"), Failure);
  }
}

TEST_CASE("sources of a policy match in any case, and entries without a match are reported") {
  const test::ScratchFolder folder;
  BuildOptions options;
  options.policy = folder.write("policy.toml",
                                "left_out_licenses = ['cc-by-nc-3.0', 'cc-by-4.0']\nleft_out_sources = ['B.Example']\n"
                                "left_out_ids = ['x-2', 'x-9']\ntaken_down = ['x-2', 'X-1']\n");
  auto other = line(3);
  other.replace(other.find("a.example"), 9, "b.Example");
  const auto report = build(folder, line(1) + line(2, "", "cc-by-nc-3.0") + other, options);
  CHECK(report.track_count == 1);
  CHECK(report.count(Reason::policy_license) == 1);
  CHECK(report.count(Reason::policy_source) == 1);
  CHECK(folder.read("report.json")
            .find("  \"policy_unmatched\":{\n    \"left_out_ids\":[\n      \"x-9\"\n    ],\n"
                  "    \"left_out_licenses\":[\n      \"cc-by-4.0\"\n    ],\n"
                  "    \"taken_down\":[\n      \"X-1\"\n    ]\n  },\n") != std::string::npos);
  CHECK(report.summary().find("policy entries that met no track: left_out_ids 1, left_out_licenses 1, taken_down 1") !=
        std::string::npos);
}

// BUILD-5
TEST_CASE("synonyms come from the built-in table, a file, or an empty file") {
  const test::ScratchFolder folder;
  const auto finds = [&](std::optional<std::string> synonyms, const std::string& q) {
    BuildOptions options;
    options.synonyms = std::move(synonyms);
    build(folder, line(1, R"(,"description":"science fiction door")"), options);
    SearchQuery query;
    query.kind = Kind::sfx;
    query.q = q;
    return open(folder)->count(query) == 1;
  };
  CHECK(finds({}, "sci-fi"));
  CHECK_FALSE(finds(folder.write("none.txt", ""), "sci-fi"));
  CHECK(finds(folder.write("own.txt", "portal, door ,gate\n\nalone\n"), "gate"));
  CHECK_THROWS_WITH_AS(finds(folder.write("bad.txt", "a, b\n\xff, c\n"), "a"), doctest::Contains("bad.txt:2"), Failure);
  CHECK_THROWS_WITH_AS(finds(folder.write("bad.txt", "a, b\ndog >\n"), "a"), doctest::Contains("bad.txt:2: has no"),
                       Failure);
}

TEST_CASE("an evaluation snapshot is rejected unless it is allowed, and names its profile") {
  const test::ScratchFolder folder;
  BuildOptions options;
  options.evaluation = true;
  build(folder,
        line(1) + R"({"id":"x-2","kind":"sfx","artist":"","source":"a.example"})"
                  "\n",
        options);
  CHECK_FALSE(open(folder));
  REQUIRE(open(folder, true));
  CHECK(json_of(*open(folder, true), "x-2").find(R"("title":"")") != std::string::npos);
  CHECK(inspect_snapshot(folder.path("out.sqlite"), true).find(R"("profile":"evaluation")") != std::string::npos);
}

TEST_CASE("an invalid URL fails before the build starts") {
  const test::ScratchFolder folder;
  BuildOptions options;
  options.site_url = "tonearm.example";
  CHECK_THROWS_WITH_AS(build(folder, line(1), options), doctest::Contains("--site-url"), Failure);
  options.site_url = "https://tonearm.example/";
  options.media_url = "media";
  CHECK_THROWS_WITH_AS(build(folder, line(1), options), doctest::Contains("--media-url"), Failure);
}

TEST_CASE("verify and inspect name a file that is not a snapshot") {
  const test::ScratchFolder folder;
  native::OpensslHashing hashing;
  const auto path = folder.write("text", "no snapshot");
  CHECK_THROWS_AS(verify_file(path, {}, hashing), std::runtime_error);
  CHECK_THROWS_AS(inspect_snapshot(path, false), std::runtime_error);
  CHECK_THROWS_WITH_AS(verify_file(folder.path("none"), {}, hashing), doctest::Contains("No such file"), Failure);
  REQUIRE(::mkfifo(folder.path("fifo").c_str(), 0600) == 0);
  for (const auto& [name, message] :
       {std::pair{"fifo", "is not a regular file but a FIFO"}, std::pair{"", "is not a regular file but a folder"}}) {
    CHECK_THROWS_WITH_AS(verify_file(folder.path(name), {}, hashing), doctest::Contains(message), Failure);
    CHECK_THROWS_WITH_AS(inspect_snapshot(folder.path(name), true), doctest::Contains(message), Failure);
  }
  CHECK_THROWS_WITH_AS(verify_file("/dev/zero", {}, hashing), doctest::Contains("is not a regular file but a device"),
                       Failure);
}

TEST_CASE("verify finds a changed byte") {
  const test::ScratchFolder folder;
  std::string lines;
  for (int i = 0; i < 50; ++i) lines += line(i);
  build(folder, lines);
  auto bytes = folder.read("out.sqlite");
  const auto at = bytes.find("Rain 17");
  REQUIRE(at != std::string::npos);
  bytes[at] = 'P';
  native::OpensslHashing hashing;
  CHECK_THROWS_AS(verify_file(folder.write("changed.sqlite", bytes), {}, hashing), std::runtime_error);
}

}  // namespace tonearm::builder
