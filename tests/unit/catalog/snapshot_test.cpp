#include "tonearm/snapshot_writer.h"

#include <doctest/doctest.h>
#include <sqlite3.h>

#include <atomic>
#include <thread>

#include "catalog/content_hash.h"
#include "fakes.h"
#include "sample_tracks.h"
#include "system_ports.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

/// Tracks with something of everything.
std::vector<Track> many_tracks(std::uint64_t seed, std::uint32_t count) {
  static constexpr std::array<const char*, 12> kWords{"rain",         "Running", "caf\xc3\xa9", "hip-hop",
                                                      "the",          "musical", "deep",        "d\xc3\xa9j\xc3\xa0 vu",
                                                      "\xe9\x9b\xa8", "OK!",     "song",        "8bit"};
  SeededRandom random(seed);
  const auto text = [&](std::uint64_t words) {
    std::string all;
    for (std::uint64_t i = 0; i < words; ++i) all.append(i == 0 ? "" : " ").append(kWords[random.below(kWords.size())]);
    return all;
  };
  std::vector<Track> tracks;
  for (std::uint32_t i = 0; i < count; ++i) {
    Track track = music("x-" + std::to_string(i), text(1 + random.below(4)));
    if (random.below(2) == 0) track.kind = Kind::sfx;
    track.artist = text(random.below(3));
    track.description = text(random.below(9));
    track.duration_ms = 1 + random.below(400'000);
    track.bpm_hundredths = random.below(3) == 0 ? 0 : static_cast<std::uint32_t>(6'000 + random.below(9'000));
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      if (random.below(2) == 0) track.tags[facet] = {"tag-" + std::to_string(random.below(5)), "other"};
    }
    if (random.below(2) == 0) track.category = static_cast<std::uint8_t>(random.below(kCategoryCount));
    if (random.below(2) == 0) track.energy = static_cast<Energy>(random.below(3));
    if (random.below(2) == 0) track.tone = static_cast<Tone>(random.below(3));
    track.loop = random.below(4) == 0;
    track.quality = static_cast<std::uint16_t>(random.below(1'001));
    track.license = static_cast<LicenseId>(random.below(kLicenseCount));
    track.credit_requested = random.below(3) == 0;
    track.taken_down = random.below(20) == 0;
    for (int n = 0; n < 5; ++n) track.neighbors.push_back(static_cast<std::uint32_t>(random.below(count)));
    tracks.push_back(std::move(track));
  }
  return tracks;
}

Result<SnapshotSummary> verify(const std::string& bytes) {
  native::OpensslHashing hashing;
  return verify_snapshot(connect_to_bytes(std::make_shared<const std::string>(bytes)), hashing);
}

/// The snapshot after a statement changed it.
std::string changed(const std::string& bytes, const std::string& sql) {
  const sql::SqliteHandle database = sql::open_sqlite(":memory:", sql::OpenMode::read_write_create);
  auto* copy = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
  std::copy(bytes.begin(), bytes.end(), copy);
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  REQUIRE(sqlite3_deserialize(database.get(), "main", copy, size, size,
                              SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_int64 new_size = 0;
  unsigned char* data = sqlite3_serialize(database.get(), "main", &new_size, 0);
  const std::string result(reinterpret_cast<const char*>(data), static_cast<std::size_t>(new_size));
  sqlite3_free(data);
  return result;
}

std::string open_error(const std::string& bytes, Catalog::Options options = {}) {
  const auto opened = Catalog::open(connect_to_bytes(std::make_shared<const std::string>(bytes)), options);
  if (opened) return {};
  CHECK(opened.error().code == ErrorCode::unavailable);
  return opened.error().message;
}

}  // namespace

TEST_CASE("the same tracks and options give the same bytes, and they pass verification") {
  const auto tracks = many_tracks(1, 400);
  SnapshotOptions options;
  options.synonyms = {{"rain", "shower"}, {"film score", "soundtrack"}};
  const std::string bytes = snapshot_bytes(tracks, options);
  CHECK(bytes == snapshot_bytes(tracks, options));
  CHECK(bytes.size() % 16'384 == 0);
  const auto summary = verify(bytes);
  REQUIRE_MESSAGE(summary.has_value(), summary.error().message);
  CHECK(summary->track_count == 400);
  CHECK(summary->version.size() == 16);
  CHECK(make_memory_catalog(tracks, options)->version() == summary->version);
  options.site_url = "https://other.example";
  CHECK(verify(snapshot_bytes(tracks, options))->version != summary->version);
}

TEST_CASE("an empty catalog can be written, verified and searched") {
  CHECK(verify(snapshot_bytes({})).has_value());
  const auto catalog = make_memory_catalog({});
  CHECK(catalog->search(everything()).total == 0);
  CHECK(catalog->search(words("rain")).total == 0);
  CHECK_FALSE(catalog->find("x-1"));
}

TEST_CASE("opening names the fault") {
  const std::string bytes = snapshot_bytes(many_tracks(2, 50));
  CHECK(open_error(bytes).empty());
  CHECK(open_error(changed(bytes, "UPDATE manifest SET value = '7' WHERE key = 'format_version'")) ==
        "the snapshot has format version 7, and this program reads version 1");
  CHECK(open_error(changed(bytes, "DELETE FROM manifest WHERE key = 'format_version'")) ==
        "the snapshot is damaged: its manifest has no format_version");
  CHECK(open_error(changed(bytes, "PRAGMA application_id = 1")) == "the file is not a snapshot of this project");
  CHECK(open_error(changed(bytes, "UPDATE columns SET data = x'00' WHERE name = 'quality'")) ==
        "the snapshot is damaged: the column quality has the wrong size");
  CHECK(open_error(changed(bytes, "UPDATE columns SET data = zeroblob(200) WHERE name = 'order_slow'")) ==
        "the snapshot is damaged: the column order_slow is no permutation");
  CHECK(open_error(changed(bytes, "UPDATE manifest SET value = 'x' WHERE key = 'music'")) ==
        "the snapshot is damaged: its manifest has a bad music");
  CHECK_FALSE(open_error("no database at all, but long enough to have a header of its own.............").empty());
  CHECK_FALSE(open_error(bytes.substr(0, bytes.size() / 2)).empty());
  CHECK_FALSE(open_error({}).empty());
}

TEST_CASE("an evaluation snapshot is opened only where that is allowed") {
  SnapshotOptions options;
  options.evaluation = true;
  Track track = music("x-1", "");
  track.duration_ms = 0;
  track.license = LicenseId::unknown;
  const std::string bytes = snapshot_bytes(std::vector{track}, options);
  CHECK(open_error(bytes) == "the snapshot was built for evaluation: its licenses are not known");
  CHECK(open_error(bytes, {.allow_evaluation = true}).empty());
  const auto catalog = make_memory_catalog(std::vector{track}, options);
  CHECK(catalog->values().licenses.empty());
  SearchQuery query = everything();
  query.filters.commercial = false;
  CHECK(catalog->count(query) == 1);
  CHECK(verify(bytes).has_value());
}

TEST_CASE("verification finds every kind of damage") {
  const std::string bytes = snapshot_bytes(many_tracks(3, 200));
  const auto fault = [&](const std::string& sql) {
    const auto result = verify(changed(bytes, sql));
    CHECK_FALSE(result.has_value());
    return result ? std::string() : result.error().message;
  };
  CHECK(fault("UPDATE tracks SET json = json || ' ' WHERE position = 3") ==
        "the snapshot is damaged: its content differs from its content hash");
  CHECK(fault("DELETE FROM tracks WHERE position = 3") ==
        "the snapshot is damaged: its content differs from its content hash");
  CHECK(fault("UPDATE listing SET label = 'x' WHERE place = 0") ==
        "the snapshot is damaged: its content differs from its content hash");
  CHECK(fault("INSERT INTO words (rowid, text) VALUES (1000, '\xe9\xbe\xa5')") ==
        "the snapshot is damaged: FTS5 has a word without postings: \xe9\xbe\xa5");
}

TEST_CASE("verification finds parts that contradict each other under a matching content hash") {
  std::vector<Track> tracks = many_tracks(6, 100);
  tracks[0].taken_down = false;
  const std::string bytes = snapshot_bytes(tracks);
  const auto fault = [&](const std::string& sql) {
    native::OpensslHashing hashing;
    const std::string damaged = changed(bytes, sql);
    const auto database = connect_to_bytes(std::make_shared<const std::string>(damaged))();
    const std::string hash = catalog::content_hash(database.get(), hashing);
    const auto result =
        verify(changed(damaged, "UPDATE manifest SET value = '" + hash + "' WHERE key = 'content_hash'"));
    CHECK_FALSE(result.has_value());
    return result ? std::string() : result.error().message.substr(std::string("the snapshot is damaged: ").size());
  };
  CHECK(fault("DELETE FROM terms WHERE key = CAST(x'6600' || 'genre' || x'00' || 'other' AS BLOB)") ==
        "a facet is missing");
  CHECK(fault("UPDATE terms SET key = CAST(x'7700' || 'hipp' AS BLOB) WHERE key = CAST(x'7700' || 'hip' AS BLOB)") ==
        "the postings of a word differ from those of FTS5: hipp");
  CHECK(fault("UPDATE tracks SET neighbors = x'07000000' WHERE position = 7") == "track 7: it is its own neighbor");
  CHECK(fault("UPDATE tracks SET neighbors = x'ffffff00' WHERE position = 7") ==
        "track 7: a neighbor is of another group");
  CHECK(fault("UPDATE tracks SET neighbors = x'0000' WHERE position = 7") == "an array is cut");
  CHECK(fault("UPDATE tracks SET json = CAST(replace(CAST(json AS TEXT), '\"kind\"', '\"kinD\"') AS BLOB) "
              "WHERE position = 5") == "track 5: there is no kind");
  CHECK(fault("UPDATE tracks SET offsets = zeroblob(length(offsets)) WHERE position = 5") ==
        "track 5: the offsets do not cut id");
  CHECK(fault("UPDATE columns SET data = (SELECT data FROM columns WHERE name = 'order_long') WHERE name = "
              "'order_short'") == "the order short is not sorted");
  CHECK(fault("UPDATE columns SET data = zeroblob(length(data)) WHERE name = 'bpm_hundredths'").find("slow") !=
        std::string::npos);
  CHECK(fault("UPDATE ids SET position = 1 - position WHERE position < 2") ==
        "the order of ids differs from the column");
  CHECK(fault("UPDATE creators SET count = count + 1 WHERE place = 0") ==
        "a count differs from the tracks that it counts");
}

TEST_CASE("a file with broken bytes is refused or answers, and never harms") {
  const std::string bytes = snapshot_bytes(many_tracks(4, 60));
  SeededRandom random(7);
  for (int run = 0; run < 150; ++run) {
    std::string broken = bytes;
    for (int i = 0; i < 40; ++i) broken[random.below(broken.size())] = static_cast<char>(random.below(256));
    try {
      const auto opened = Catalog::open(connect_to_bytes(std::make_shared<const std::string>(std::move(broken))), {});
      if (!opened) continue;
      const Catalog& catalog = *opened.value();
      for (const auto* q : {"", "rain", "hip hop", "the"}) {
        SearchQuery query = words(q, run % 2 == 0 ? Kind::music : Kind::sfx);
        query.tags[0] = {"other"};
        query.tags[0].resize(static_cast<std::size_t>(run % 2));
        const Page page = catalog.search(query);
        (void)catalog.render(page.tracks);
        for (const auto position : page.tracks) (void)catalog.similar(position, {}, 50, 0);
      }
    } catch (const sql::Failure&) {
      continue;
    }
  }
}

TEST_CASE("one catalog answers many threads at once") {
  const auto catalog = make_memory_catalog(many_tracks(5, 300));
  const Page expected = catalog->search(words("rain"));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        const Page page = catalog->search(words("rain"));
        if (page != expected || catalog->render(page.tracks).size() != page.tracks.size()) ++wrong;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
}
