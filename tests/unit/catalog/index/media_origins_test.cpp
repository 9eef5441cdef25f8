#include "catalog/index/media_origins.h"

#include <doctest/doctest.h>

#include <string>

#include "../sample_tracks.h"
#include "tonearm/result.h"

namespace tonearm::catalog {
namespace {

using Origins = std::vector<std::string>;

TEST_CASE("MCP-22: origins are listed by their tracks, then by bytes, at most fifty") {
  OriginCounts counts;
  for (const char* url : {"https://b.example/1", "https://a.example/1", "https://c.example/1", "https://C.example/2",
                          "", "https://evil.example;x/1"}) {
    counts.add(url);
  }
  CHECK(counts.value() == "https://c.example https://a.example https://b.example");
  for (int i = 0; i < 100; ++i) counts.add("https://more-" + std::to_string(i) + ".example/1");
  CHECK(read_media_origins({{"audio_origins", counts.value()}, {"peaks_origins", ""}}).audio.size() == kOriginsMax);
}

TEST_CASE("MCP-22: a catalog knows where the audio that is played is, without tracks taken down") {
  std::vector<Track> tracks{test::music("a-1", "One"), test::music("a-2", "Two"), test::music("a-3", "Three"),
                            test::music("a-4", "Gone")};
  tracks[0].preview_url = "https://previews.example/1.mp3";
  tracks[0].original_url = "https://originals.example/1.flac";
  tracks[0].peaks_url = "https://peaks.example/1.json";
  tracks[1].original_url = "https://originals.example/2.flac";
  tracks[2].original_url = "https://originals.example/3.flac";
  tracks[3].preview_url = "https://gone.example/4.mp3";
  tracks[3].taken_down = true;
  const auto catalog = test::make_memory_catalog(tracks);
  CHECK(catalog->media_origins().audio == Origins{"https://originals.example", "https://previews.example"});
  CHECK(catalog->media_origins().peaks == Origins{"https://peaks.example"});
}

TEST_CASE("MCP-22: a manifest without the rows has no origins, and one with other texts is damaged") {
  CHECK(read_media_origins({}).audio.empty());
  CHECK(read_media_origins({{"audio_origins", ""}}).audio.empty());
  for (const char* wrong : {" ", "https://a.example ", "https://a.example/x", "https://A.example", "*", "a.example",
                            "https://a.example; script-src *"}) {
    CAPTURE(wrong);
    CHECK_THROWS_WITH_AS(read_media_origins({{"peaks_origins", wrong}}),
                         "the snapshot is damaged: its manifest has an invalid peaks_origins", CatalogDamaged);
  }
}

}  // namespace
}  // namespace tonearm::catalog
