#include "output/recordings.h"

#include <doctest/doctest.h>

#include "output/listing.h"

namespace tonearm::demo {
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
TEST_CASE("a recording has the license of the last stanza that names it, never the license of the package") {
  CHECK_FALSE(attribution_in_copyright(kCopyright, "share/other.ogg"));
  const auto spaced = attribution_in_copyright(kCopyright, "share/a b.ogg");
  REQUIRE(spaced);
  CHECK(spaced->artist == "kw_02");
  CHECK(spaced->license == "CC-BY-3.0");
  CHECK(spaced->page == "https://freesound.org/people/kw/sounds/2/");
  const auto last = attribution_in_copyright(kCopyright, "share/c2.ogg");
  REQUIRE(last);
  CHECK(last->artist == "Ann Lee");
  CHECK(last->license == "CC-BY-SA-3.0");
  CHECK(last->page == "http://x.example/1");
  REQUIRE(attribution_in_copyright(kCopyright, "share/d.ogg"));
  CHECK(attribution_in_copyright(kCopyright, "share/d.ogg")->page == "http://freesound.org/people/D/sounds/5/");
}

TEST_CASE("only CC0, CC BY and CC BY-NC are accepted") {
  CHECK(license_id("CC0") == "CC0-1.0");
  CHECK(license_id("CC-BY-4.0") == "CC-BY-4.0");
  for (const auto* other : {"", "MIT", "GPL-2+", "CC-BY-SA-3.0", "CC-BY", "CC-BY-4.0 or MIT"}) {
    CHECK(license_id(other).empty());
  }
  CHECK(license_url("CC-BY-NC-4.0") == "https://creativecommons.org/licenses/by-nc/4.0/");
}

TEST_CASE("a list of origins counts if it dedicates its samples by CC0 and names the sample") {
  const std::string lines =
      "* `:glitch_perc_1` - https://freesound.org/people/h%20l/sounds/4/\n* `:odd` - http://x.example/\n";
  const std::string list = "See http://creativecommons.org/publicdomain/zero/1.0/\n" + lines;
  const auto found = attribution_in_list(list, "glitch_perc1");
  REQUIRE(found);
  CHECK(found->artist == "h l");
  CHECK(found->license == "CC0");
  CHECK_FALSE(attribution_in_list(lines, "glitch_perc1"));
  CHECK_FALSE(attribution_in_list(list, "glitch_perc2"));
  CHECK_FALSE(attribution_in_list(list, "odd"));
}

TEST_CASE("files_in_csv decodes the files of a list that csv_of encodes") {
  ListEntry plain;
  plain.file = "a.ogg";
  plain.description = "one, \"two\"\nthree";
  ListEntry quoted;
  quoted.file = "b/\"c\", d.ogg";
  CHECK(files_in_csv(csv_of({plain, quoted})) == std::vector<std::string>{"a.ogg", "b/\"c\", d.ogg"});
  CHECK(files_in_csv("").empty());
}

TEST_CASE("every accepted recording has an artist, a license and a page; every rejected one has a reason") {
  const auto found = find_recordings("");
  for (const auto& recording : found.accepted) {
    CAPTURE(recording.name);
    CHECK_FALSE(recording.artist.empty());
    CHECK_FALSE(license_id(recording.license).empty());
    CHECK(recording.page.rfind("http", 0) == 0);
    CHECK_FALSE(recording.title.empty());
  }
  for (const auto& [name, reason] : found.rejected) CHECK_FALSE(reason.empty());
  CHECK(find_recordings("/nonexistent").accepted.empty());
}

}  // namespace
}  // namespace tonearm::demo
