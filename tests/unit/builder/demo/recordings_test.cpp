#include "demo/recordings.h"

#include <doctest/doctest.h>

#include "demo/listing.h"

namespace tonearm::builder::demo {
namespace {

constexpr std::string_view kCopyright =
    "Format: x\n\nFiles: *\nCopyright: 2016 Somebody\nLicense: MIT\n\n"
    "Files: share/a?b.ogg\n share/c*.ogg\nCopyright: 2015, \"kw_02 of freesound.org\" "
    "https://freesound.org/people/kw/sounds/2/\n"
    "License: CC-BY-3.0\n\nFiles: share/c2.ogg\nCopyright: 2013-2014, Ann Lee <ann@example.org>\nSource: "
    "http://x.example/1\n"
    "License: CC-BY-SA-3.0\n\nFiles: share/d.ogg\nCopyright: 2014 D\nhttp://freesound.org/people/D/sounds/5/\nLicense: "
    "CC0\n";

// BUILD-15
TEST_CASE("a recording has the license of the last stanza that names it, never that of the whole package") {
  CHECK_FALSE(statement_of(kCopyright, "share/other.ogg"));
  const auto spaced = statement_of(kCopyright, "share/a b.ogg");
  REQUIRE(spaced);
  CHECK(spaced->artist == "kw_02");
  CHECK(spaced->license == "CC-BY-3.0");
  CHECK(spaced->page == "https://freesound.org/people/kw/sounds/2/");
  const auto last = statement_of(kCopyright, "share/c2.ogg");
  REQUIRE(last);
  CHECK(last->artist == "Ann Lee");
  CHECK(last->license == "CC-BY-SA-3.0");
  CHECK(last->page == "http://x.example/1");
  REQUIRE(statement_of(kCopyright, "share/d.ogg"));
  CHECK(statement_of(kCopyright, "share/d.ogg")->page == "http://freesound.org/people/D/sounds/5/");
}

TEST_CASE("only licenses of the demo are taken") {
  CHECK(license_id("CC0") == "CC0-1.0");
  CHECK(license_id("CC-BY-4.0") == "CC-BY-4.0");
  for (const auto* other : {"", "MIT", "GPL-2+", "CC-BY-SA-3.0", "CC-BY", "CC-BY-4.0 or MIT"}) {
    CHECK(license_id(other).empty());
  }
  CHECK(license_address("CC-BY-NC-4.0") == "https://creativecommons.org/licenses/by-nc/4.0/");
}

TEST_CASE("a list of origins counts where it dedicates its samples by CC0 and names this one") {
  const std::string lines =
      "* `:glitch_perc_1` - https://freesound.org/people/h%20l/sounds/4/\n* `:odd` - http://x.example/\n";
  const std::string list = "See http://creativecommons.org/publicdomain/zero/1.0/\n" + lines;
  const auto found = listed_statement(list, "glitch_perc1");
  REQUIRE(found);
  CHECK(found->artist == "h l");
  CHECK(found->license == "CC0");
  CHECK_FALSE(listed_statement(lines, "glitch_perc1"));
  CHECK_FALSE(listed_statement(list, "glitch_perc2"));
  CHECK_FALSE(listed_statement(list, "odd"));
}

TEST_CASE("patterns match as the format of copyright files says") {
  CHECK(matches("a/*", "a/b/c"));
  CHECK(matches("Mangor*.ogg", "Mangor\xC3\xA9.ogg"));
  CHECK(matches("x?y", "x y"));
  CHECK(matches("x?y", "x\xC3\xA9y"));
  CHECK_FALSE(matches("x?y", "xy"));
  CHECK_FALSE(matches("a", "ab"));
}

TEST_CASE("every recording that is installed names its author, license and page; the others say why not") {
  const auto found = find_recordings("");
  for (const auto& recording : found.kept) {
    CAPTURE(recording.name);
    CHECK_FALSE(recording.artist.empty());
    CHECK_FALSE(license_id(recording.license).empty());
    CHECK(recording.page.rfind("http", 0) == 0);
    CHECK_FALSE(recording.title.empty());
  }
  for (const auto& [name, reason] : found.left_out) CHECK_FALSE(reason.empty());
  CHECK(find_recordings("/nonexistent").kept.empty());
}

}  // namespace
}  // namespace tonearm::builder::demo
