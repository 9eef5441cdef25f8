#include <doctest/doctest.h>

#include "program/build.h"
#include "review/changes_since.h"
#include "review/comparison.h"
#include "review/release_conditions.h"
#include "scratch_folder.h"
#include "system/system_ports.h"
#include "tonearm/result.h"

namespace tonearm::builder {
namespace {

using doctest::Contains;

std::string rain(int number, const std::string& license = "cc0", const std::string& title = "Rain",
                 const std::string& source = "a.example") {
  return R"({"id":"x-)" + std::to_string(number) + R"(","kind":"sfx","title":")" + title +
         R"(","artist":"Ann","duration_s":12,"license":")" + license + R"(","source":")" + source + "\"}\n";
}

struct Snapshots {
  test::ScratchFolder folder;

  OpenedSnapshot build(const std::string& name, const std::string& lines, const std::string& policy = {},
                       const std::string& before = {}) const {
    BuildOptions options;
    options.inputs = {{"", folder.write("lines.jsonl", lines)}};
    if (!policy.empty()) options.policy = folder.write("policy.toml", policy);
    options.output = folder.path(name + ".sqlite");
    if (!before.empty()) options.changes_since = folder.path(before + ".sqlite");
    native::OpensslHashing hashing;
    build_catalog(options, hashing);
    return OpenedSnapshot(options.output);
  }
  /// Returns a comparison with one change of each kind.
  Comparison comparison() const {
    const auto before =
        build("old", rain(1) + rain(2) + rain(3) + rain(4) + rain(5, "cc0", "Wind", "b.example") + rain(6));
    const auto after =
        build("new", rain(1) + rain(2, "cc-by-4.0") + rain(3, "cc0", "Heavy rain") + rain(4) + rain(7) + rain(6),
              "taken_down = [\"x-4\"]\n");
    return compare(before, after);
  }
};

std::vector<std::string> failed(const Comparison& comparison, const char* condition) {
  ReleaseConditions conditions;
  REQUIRE(conditions.add(condition));
  return failed_conditions(comparison, conditions);
}

}  // namespace

TEST_CASE("PROGRAM-26: a comparison names license changes, take-downs, and what was added, removed and changed") {
  const Snapshots with;
  const auto comparison = with.comparison();
  REQUIRE(comparison.license_changes.size() == 1);
  const auto& change = comparison.license_changes.front();
  CHECK(change.id == "x-2");
  CHECK(change.before.find(R"("license.id":"cc0")") != std::string::npos);
  CHECK(change.after.find(R"("license.id":"cc-by-4.0")") != std::string::npos);
  CHECK(change.after.find(R"("attribution":"required")") != std::string::npos);
  REQUIRE(comparison.taken_down.size() == 1);
  CHECK(comparison.taken_down.front().id == "x-4");
  CHECK(comparison.restored.empty());
  REQUIRE(comparison.removed.size() == 1);
  CHECK(comparison.removed.front().id == "x-5");
  REQUIRE(comparison.added.size() == 1);
  CHECK(comparison.added.front().id == "x-7");
  CHECK(comparison.changed_fields.at("title") == 1);
  CHECK(comparison.unchanged_count == 2);
  CHECK(comparison.sources.at("b.example").before == 1);
  CHECK(comparison.sources.at("b.example").after == 0);
  const auto text = comparison_text(comparison);
  CHECK(text.find("license changes  1\n  x-2  Rain\n") < text.find("taken down  1\n  x-4  Rain\n"));
  CHECK(text.find("    title  \"Rain\"  ->  \"Heavy rain\"\n") != std::string::npos);
  CHECK(comparison_json(comparison, {"c"}).find(R"("failed_conditions":["c"])") != std::string::npos);
}

TEST_CASE("PROGRAM-26: a snapshot does not differ from itself, and the reverse comparison reverses changes") {
  const Snapshots with;
  const auto before = with.build("old", rain(1) + rain(2));
  const auto same = compare(before, before);
  CHECK(same.unchanged_count == 2);
  CHECK(same.license_changes.size() + same.removed_count + same.added_count + same.changed_count == 0);
  const auto down = with.build("new", rain(1) + rain(2), "taken_down = [\"x-1\"]\n");
  CHECK(compare(down, before).restored.front().id == "x-1");
}

TEST_CASE("PROGRAM-27: each condition fails only for the changes that it names") {
  const Snapshots with;
  auto comparison = with.comparison();
  CHECK(failed(comparison, "license-change").size() == 1);
  CHECK(failed(comparison, "removed-above=0").size() == 1);
  CHECK(failed(comparison, "removed-above=1").empty());
  CHECK(failed(comparison, "source-below=95") ==
        std::vector<std::string>{"source-below: b.example has 0 of 1 tracks, less than 95 %"});
  CHECK(failed(comparison, "source-below=0").empty());
  approve(comparison, with.folder.write("approved", "# seen\n\nx-2 cc0 cc0\nx-2 cc-by-4.0 cc0\nx-1 cc0 cc-by-4.0\n"));
  CHECK(failed(comparison, "license-change").size() == 1);
  approve(comparison, with.folder.write("approved", "x-2 cc0 cc-by-4.0  # the author's page says so\n"));
  CHECK(failed(comparison, "license-change").empty());
  ReleaseConditions conditions;
  for (const char* none : {"", "license", "source-below", "source-below=", "source-below=101", "source-below=-1",
                           "removed-above=x", "removed-above=1x"}) {
    CHECK_FALSE(conditions.add(none));
  }
  CHECK_THROWS_WITH_AS(approve(comparison, with.folder.write("approved", "x-2 cc0\n")), Contains("approved:1: needs"),
                       Failure);
  CHECK_THROWS_WITH_AS(approve(comparison, with.folder.write("approved", "x-2 cc0 cc0 x\n")), Contains("needs"),
                       Failure);
  CHECK_THROWS_WITH_AS(approve(comparison, with.folder.write("approved", "x-2 cc0 free\n")),
                       Contains("not a license id"), Failure);
}

TEST_CASE("BUILD-29: a snapshot states the changes since the one before it, and since those that this one knows") {
  const Snapshots with;
  const auto first = with.build("first", rain(1) + rain(2) + rain(3) + rain(4));
  CHECK(first.catalog().known_versions().empty());
  const auto second = with.build("second", rain(1) + rain(2, "cc-by-4.0") + rain(3, "cc0", "Heavy rain") + rain(5),
                                 "taken_down = [\"x-1\"]\n", "first");
  const std::string old = first.catalog().version();
  const std::string now = second.catalog().version();
  REQUIRE(second.catalog().known_versions() == std::vector{old});
  const auto log = known_changes(second);
  REQUIRE(log.size() == 1);
  CHECK(log[0].changes == std::vector<CatalogChange>{{ChangeKind::taken_down, "x-1", "cc0", "cc0"},
                                                     {ChangeKind::license_changed, "x-2", "cc0", "cc-by-4.0"},
                                                     {ChangeKind::removed, "x-4", "cc0", ""},
                                                     {ChangeKind::added, "x-5", "", "cc0"}});
  // A new title changes no license, but it makes another version, whose users may ask as well.
  const auto third = with.build("third", rain(1) + rain(2, "cc-by-4.0") + rain(3, "cc0", "Soft rain") + rain(5),
                                "taken_down = [\"x-1\"]\n", "second");
  const auto fourth =
      with.build("fourth", rain(1) + rain(2, "cc-by-4.0") + rain(3, "cc0", "Soft rain") + rain(5), {}, "third");
  CHECK(fourth.catalog().known_versions() == std::vector{old, now, third.catalog().version()});
  const auto later = known_changes(fourth);
  REQUIRE(later.size() == 3);
  CHECK(later[0].changes == log[0].changes);
  CHECK(later[1].changes.empty());
  CHECK(later[2].changes == std::vector<CatalogChange>{{ChangeKind::restored, "x-1", "cc0", "cc0"}});
}

TEST_CASE("CHANGE-2: a track has one change in a version, and none but its return while it is taken down") {
  const Snapshots with;
  const std::string down = "taken_down = [\"x-1\"]\n";
  with.build("first", rain(1) + rain(2));
  with.build("down", rain(1, "cc-by-4.0") + rain(2), down, "first");
  with.build("still", rain(1, "cc-by-nc-4.0") + rain(2) + rain(3), down, "down");
  const auto log = known_changes(with.build("back", rain(1, "cc-by-3.0") + rain(2) + rain(3), {}, "still"));
  REQUIRE(log.size() == 3);
  CHECK(log[0].changes == std::vector<CatalogChange>{{ChangeKind::taken_down, "x-1", "cc0", "cc-by-4.0"}});
  CHECK(log[1].changes == std::vector<CatalogChange>{{ChangeKind::added, "x-3", "", "cc0"}});
  CHECK(log[2].changes == std::vector<CatalogChange>{{ChangeKind::restored, "x-1", "cc-by-nc-4.0", "cc-by-3.0"}});
}

TEST_CASE("BUILD-29: the same content has the same version again, over a snapshot that knows changes or none") {
  const Snapshots with;
  const auto first = with.build("first", rain(1));
  CHECK(with.build("again", rain(1), {}, "first").catalog().version() == first.catalog().version());
  const auto second = with.build("second", rain(1) + rain(2), {}, "first");
  const auto repeated = with.build("repeated", rain(1) + rain(2), {}, "second");
  CHECK(repeated.catalog().version() == second.catalog().version());
  CHECK(known_changes(repeated) == known_changes(second));
}

TEST_CASE("BUILD-29: a file that is damaged, or is not a snapshot, fails the build") {
  const Snapshots with;
  with.build("sound", rain(1) + rain(2));
  std::string bytes = with.folder.read("sound.sqlite");
  bytes[bytes.find("\"Rain\"") + 1] = 'P';
  with.folder.write("damaged.sqlite", bytes);
  CHECK_THROWS_WITH_AS(with.build("next", rain(1), {}, "damaged"), Contains("damaged.sqlite"), Failure);
  with.folder.write("broken.sqlite", "no snapshot");
  CHECK_THROWS_WITH_AS(with.build("next", rain(1), {}, "broken"), Contains("broken.sqlite"), Failure);
  CHECK_THROWS_WITH_AS(with.build("next", rain(1), {}, "absent"), Contains("absent.sqlite"), Failure);
  CHECK_FALSE(std::filesystem::exists(with.folder.path("next.sqlite")));
}

TEST_CASE("BUILD-29: the oldest versions are dropped, and a change too large for the limit with all before it") {
  std::vector<VersionChanges> log(kKnownVersionsMax + 3);
  log[2].changes.resize(5);
  CHECK(drop_oldest(log) == 3);
  CHECK(log.size() == kKnownVersionsMax);
  log.back().changes.resize(kKnownChangesMax - 1);
  CHECK(drop_oldest(log) == 0);
  log[7].changes.resize(2);
  CHECK(drop_oldest(log) == 8);
  log.back().changes.resize(kKnownChangesMax + 1);
  CHECK(drop_oldest(log) == kKnownVersionsMax - 8);
  CHECK(log.empty());
  CHECK(drop_oldest(log) == 0);
}

}  // namespace tonearm::builder
