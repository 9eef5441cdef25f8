#include "catalog/writer/matching_texts.h"

#include <doctest/doctest.h>

#include "../sample_tracks.h"
#include "snapshot_surgery.h"
#include "system/system_ports.h"
#include "tonearm/snapshot_writer.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

std::vector<Track> tidied_tracks() {
  Track first = effect("x-1", "HeavyRain_01.wav");
  first.matching_title = "Heavy Rain 01";
  first.artist = "Ann";
  first.matching_words = {"gutter-water", "kazoo"};
  Track second = effect("x-2", "heavy-rain-02");
  second.matching_title = "heavy rain 02";
  second.artist = "Ann";
  return {first, second, effect("x-3", "A calm")};
}

std::string damage(const std::string& bytes) {
  native::OpensslHashing hashing;
  const auto verified = verify_snapshot(snapshot_of_bytes(bytes), hashing);
  return verified ? std::string() : verified.error().message;
}

}  // namespace

// SEARCH-3
TEST_CASE("matching texts are searched, and no answer shows them") {
  const auto catalog = make_memory_catalog(tidied_tracks());
  const auto found = [&](const char* q) { return ids(*catalog, catalog->search(words(q, Kind::sfx)).tracks); };
  using Ids = std::vector<std::string>;
  for (const char* q : {"kazoo", "gutter", "heavyrain", "wav", "HeavyRain_01.wav"}) {
    CAPTURE(q);
    CHECK(found(q) == Ids{"x-1"});
  }
  CHECK(found("heavy rain").size() == 2);
  const std::string json(catalog->render(catalog->search(words("kazoo", Kind::sfx)).tracks).front().json);
  CHECK(json.find("HeavyRain_01.wav") != std::string::npos);
  CHECK(json.find("Heavy Rain") == std::string::npos);
  CHECK(json.find("kazoo") == std::string::npos);
}

// SEARCH-14
TEST_CASE("tidied titles decide which tracks are variants") {
  auto query = everything(Kind::sfx);
  query.variants = Variants::collapse;
  CHECK(make_memory_catalog(tidied_tracks())->search(query).total == 2);
  auto tracks = tidied_tracks();
  for (auto& track : tracks) track.matching_title.clear();
  CHECK(make_memory_catalog(tracks)->search(query).total == 3);
}

// PROGRAM-25
TEST_CASE("verify compares matching texts with what was made of them") {
  const std::string bytes = snapshot_bytes(tidied_tracks());
  CHECK(damage(bytes).empty());
  const auto damage_after = [&](const char* sql) { return damage(modified_snapshot(bytes, sql)); };
  CHECK(damage_after("UPDATE matching_texts SET title = 'Other Rain 7' WHERE title <> ''").find("damaged") !=
        std::string::npos);
  CHECK(damage_after("DELETE FROM matching_texts").find("damaged") != std::string::npos);
  CHECK(damage_after("INSERT INTO matching_texts VALUES (3, '', 'a')").find("belongs to no searchable track") !=
        std::string::npos);
  CHECK(damage_after("UPDATE matching_texts SET title = '', words = ''").find("is empty") != std::string::npos);
}
