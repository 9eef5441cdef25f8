#include "hostile_snapshots.h"

#include <doctest/doctest.h>

#include <map>

#include "../sample_tracks.h"
#include "memory_catalog.h"
#include "snapshot_surgery.h"
#include "system/system_ports.h"
#include "tonearm/catalog.h"
#include "tonearm/snapshot_writer.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

std::string sound_snapshot() {
  std::vector<Track> tracks;
  for (int i = 0; i < 60; ++i) {
    tracks.push_back(music("x-" + std::to_string(i), "rain song " + std::to_string(i % 7)));
    tracks.back().artist = "Artist " + std::to_string(i % 5);
    tracks.back().tags[0] = {"ambient"};
  }
  SnapshotOptions options;
  options.synonyms = {{"rain", "shower"}};
  return snapshot_bytes(tracks, options);
}

/// The errors from opening, checking and verifying; empty: none.
struct Findings {
  std::string opening;
  std::string checking;
  std::string verifying;
};

Findings findings_of(const std::string& bytes) {
  native::OpensslHashing hashing;
  Findings found;
  const auto snapshot = snapshot_of_bytes(bytes);
  const auto opened = Catalog::open(snapshot, {});
  if (!opened) found.opening = opened.error().message;
  if (opened) {
    const auto sound = (*opened)->check_blocks(hashing);
    if (!sound) found.checking = sound.error().message;
  }
  const auto verified = verify_snapshot(snapshot, hashing);
  if (!verified) found.verifying = verified.error().message;
  return found;
}

}  // namespace

// HOST-28
TEST_CASE("no hostile snapshot blocks opening, checking or verifying, and verification rejects each") {
  const std::string sound = sound_snapshot();
  const Findings nothing = findings_of(sound);
  REQUIRE((nothing.opening + nothing.checking + nothing.verifying).empty());
  for (const HostileSnapshot& hostile : hostile_snapshots(sound)) {
    CAPTURE(hostile.name);
    const Findings found = findings_of(hostile.bytes);
    CAPTURE(found.opening);
    CAPTURE(found.checking);
    CHECK(found.verifying.empty() == hostile.is_sound);
  }
}

// HOST-28
TEST_CASE("pages that point at each other stop the reading of a table once it has more rows than bytes") {
  const std::map<std::string, std::string> expected{
      {"manifest-fan", "its tables have more rows than its database has bytes for"},
      {"listing-fan", "its tables have more rows than its database has bytes for"},
      {"synonyms-fan", "its tables have more rows than its database has bytes for"},
      {"schema-fan", "its schema does not fit on one page"},
      {"another-table", "its database has unexpected tables"},
      {"an-index", "its database has unexpected tables"},
      {"a-computed-manifest", "its database has unexpected tables"}};
  std::size_t found = 0;
  for (const HostileSnapshot& hostile : hostile_snapshots(sound_snapshot())) {
    const auto message = expected.find(hostile.name);
    if (message == expected.end()) continue;
    CAPTURE(hostile.name);
    const auto opened = Catalog::open(snapshot_of_bytes(hostile.bytes), {});
    REQUIRE_FALSE(opened.has_value());
    CHECK(opened.error().message == "the snapshot is damaged: " + message->second);
    ++found;
  }
  CHECK(found == expected.size());
}

// HOST-28
TEST_CASE("a list of the catalog that repeats a value is rejected") {
  const std::string bytes = modified_snapshot(
      sound_snapshot(),
      "INSERT INTO listing SELECT list, place + 1000, id, label, count FROM listing WHERE list = 'license' LIMIT 1");
  CHECK(findings_of(bytes).opening == "the snapshot is damaged: it lists a value twice");
}

// HOST-28
TEST_CASE("opening and checking can be interrupted") {
  native::OpensslHashing hashing;
  const std::string sound = sound_snapshot();
  const auto opened = Catalog::open(snapshot_of_bytes(sound), {});
  REQUIRE(opened.has_value());
  int calls = 0;
  const auto checked = (*opened)->check_blocks(hashing, [&] { return ++calls > 3; });
  REQUIRE_FALSE(checked.has_value());
  CHECK(checked.error().message == "the check of its blocks was interrupted");
  for (const HostileSnapshot& hostile : hostile_snapshots(sound)) {
    if (hostile.name != "manifest-fan") continue;
    int times = 0;
    Catalog::Options options;
    options.interrupted = [&] { return ++times == 2; };
    const auto ended = Catalog::open(snapshot_of_bytes(hostile.bytes), options);
    REQUIRE_FALSE(ended.has_value());
    CHECK(ended.error().message.find("interrupted") != std::string::npos);
    CHECK(times == 2);
  }
}
