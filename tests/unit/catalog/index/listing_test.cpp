#include "catalog/index/listing.h"

#include <doctest/doctest.h>

#include "../sample_tracks.h"
#include "catalog/index/facets.h"

using namespace tonearm;
using namespace tonearm::test;

// META-5
TEST_CASE("a tag without a label gets one derived from its id") {
  CHECK(catalog::default_label("hip-hop") == "Hip-Hop");
  CHECK(catalog::default_label("sci_fi") == "Sci Fi");
  CHECK(catalog::default_label("8-bit") == "8-Bit");
}

TEST_CASE("values are those of the catalog, each list in its order") {
  std::vector<Track> tracks{music("x-1", "A"), effect("x-2", "B", "ss-n"), effect("x-3", "C", "sp-s"),
                            music("x-4", "D")};
  tracks[0].tags[0] = {"rock", "hip-hop"};
  tracks[0].tags[4] = {"whoosh"};
  tracks[0].category = find_category("m-m");
  tracks[0].energy = Energy::driving;
  tracks[1].tags[4] = {"hit"};
  tracks[1].tags[2] = {"game"};
  tracks[1].tags[0] = {"noise"};
  tracks[1].energy = Energy::calm;
  tracks[2].license = LicenseId::cc_by_3_0;
  tracks[3].source = "a.org";
  SnapshotOptions options;
  options.tag_labels[0]["rock"] = "A rock";
  options.source_names["a.org"] = "The A";
  const auto catalog = make_memory_catalog(tracks, options);
  const CatalogValues& values = catalog->values();
  using Labels = std::vector<LabeledValue>;
  CHECK(values.tags[0][0] == Labels{{"rock", "A rock"}, {"hip-hop", "Hip-Hop"}});
  CHECK(values.tags[0][4].empty());
  CHECK(values.tags[1][0].empty());
  CHECK(values.tags[1][2] == Labels{{"game", "Game"}});
  CHECK(values.tags[1][4] == Labels{{"hit", "Hit"}});
  CHECK(values.energies == std::vector{Energy::driving});
  CHECK(values.tones.empty());
  CHECK(values.categories == std::vector{*find_category("sp-s"), *find_category("ss-n")});
  CHECK(values.licenses == std::vector{LicenseId::cc0, LicenseId::cc_by_3_0});
  REQUIRE(values.sources.size() == 2);
  CHECK(values.sources[0].id == "example.org");
  CHECK(values.sources[0].name == "example.org");
  CHECK(values.sources[0].track_count == 3);
  CHECK(values.sources[1].name == "The A");
}

// META-4
TEST_CASE("creators that differ only in case are one, under the most frequent spelling") {
  std::vector<Track> tracks;
  for (const auto* artist : {"ann", "Ann", "Ann", "bob", "BOB", "", "\xc3\x84nn", "\xc3\xa4NN", "zed"}) {
    tracks.push_back(music("x-" + std::to_string(tracks.size()), "A"));
    tracks.back().artist = artist;
  }
  const auto catalog = make_memory_catalog(tracks);
  const auto names = [&](std::string_view contains, std::size_t limit) {
    std::vector<std::string> listed;
    for (const auto& creator : catalog->creators(contains, limit)) {
      listed.push_back(creator.name + " " + std::to_string(creator.track_count));
    }
    return listed;
  };
  CHECK(names({}, 50) == Ids{"Ann 3", "BOB 2", "\xc3\x84nn 2", "zed 1"});
  CHECK(names({}, 2) == Ids{"Ann 3", "BOB 2"});
  CHECK(names("NN", 50) == Ids{"Ann 3", "\xc3\x84nn 2"});
  CHECK(names("\xc3\x84", 50) == Ids{"\xc3\x84nn 2"});
  CHECK(names("%", 50).empty());
}
