#include "catalog/lookup/sound_lookup.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>

#include "fakes.h"
#include "melody.h"
#include "memory_catalog.h"
#include "snapshot_surgery.h"
#include "tonearm/sql.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

using Values = std::vector<std::uint32_t>;

constexpr std::uint32_t kTracks = 300;
constexpr std::size_t kTrackValues = 1'450;  // three minutes
constexpr std::size_t kPieceValues = 142;    // twenty seconds

Sha256 hash_of(std::uint32_t number) {
  Sha256 hash{};
  hash[0] = static_cast<std::uint8_t>(number * 37);
  hash[1] = static_cast<std::uint8_t>(number);
  hash[2] = static_cast<std::uint8_t>(number >> 8U);
  return hash;
}

/// Every fifth track was not measured. The last two are one recording in one file; `t-0` is one of them and was taken
/// down.
std::vector<Track> measured_tracks() {
  SeededRandom random(15);
  std::vector<Track> tracks(kTracks);
  for (std::uint32_t i = 0; i < kTracks; ++i) {
    Track& track = tracks[i];
    track.id = "t-" + std::to_string(i);
    track.title = "Song " + std::to_string(i);
    track.duration_ms = 180'000;
    track.source = "example.org";
    track.taken_down = i == 0;
    TrackAudio audio;
    audio.fingerprint = melody(random, kTrackValues + i % 3);
    audio.file_hashes = {hash_of(i)};
    if (i % 5 != 4) track.audio = std::make_shared<const TrackAudio>(std::move(audio));
  }
  tracks[kTracks - 2].audio = tracks[kTracks - 3].audio;
  return tracks;
}

Values piece_of(const Track& track, std::size_t begin, std::size_t count = kPieceValues) {
  const auto first = track.audio->fingerprint.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

Values with_wrong_bits(Values values, unsigned percent) {
  SeededRandom random(percent);
  for (std::uint32_t& value : values) {
    for (unsigned bit = 0; bit < 32; ++bit) {
      if (random.below(100) < percent) value ^= std::uint32_t{1} << bit;
    }
  }
  return values;
}

std::vector<std::string> ids_of(const std::vector<FoundTrack>& found) {
  std::vector<std::string> ids;
  ids.reserve(found.size());
  for (const FoundTrack& one : found) ids.push_back(id_of(one.track));
  std::sort(ids.begin(), ids.end());
  return ids;
}

using Ids = std::vector<std::string>;

/// Runs a call like a host that cannot wait: replays it until every block is resident.
template <class Call>
auto replayed(const Call& call) {
  for (;;) {
    try {
      return call();
    } catch (const BlocksMissing&) {
    }
  }
}

/// Returns what the catalog finds; resident and remote files must agree.
template <class Lookup>
void check_resident_and_remote(const std::string& bytes, const Lookup& look_up) {
  const auto resident = Catalog::open(snapshot_of_bytes(bytes), {}).value();
  const std::vector<Ids> expected = look_up(*resident);
  for (const Blocks blocks : {Blocks::immediate, Blocks::after_replay}) {
    const auto paged = paged_snapshot_of_bytes(bytes, blocks);
    const auto remote = replayed([&] { return Catalog::open(paged, {}).value(); });
    paged->end_request();
    CHECK(replayed([&] { return look_up(*remote); }) == expected);
    paged->end_request();
  }
}

std::vector<Ids> sounds(const Catalog& catalog, const std::vector<Values>& queries) {
  std::vector<Ids> found;
  for (const auto& tracks : catalog.look_up_fingerprints(queries)) found.push_back(ids_of(tracks));
  return found;
}

}  // namespace

TEST_CASE("CREDIT-26: a piece finds its track, wherever it was cut and with wrong bits") {
  const std::vector<Track> tracks = measured_tracks();
  const auto catalog = make_memory_catalog(tracks);
  std::vector<Values> queries;
  std::vector<Ids> expected;
  for (const std::size_t number : {1U, 2U, 52U, 120U, 291U}) {
    for (const std::size_t begin : {0U, 1U, 2U, 3U, 717U, 1'308U}) {
      for (const unsigned percent : {0U, 3U, 10U}) {
        queries.push_back(with_wrong_bits(piece_of(tracks[number], begin), percent));
        expected.push_back({tracks[number].id});
      }
    }
  }
  CHECK(sounds(*catalog, queries) == expected);
}

TEST_CASE("CREDIT-26: audio that is no piece of a track finds nothing") {
  const std::vector<Track> tracks = measured_tracks();
  const auto catalog = make_memory_catalog(tracks);
  SeededRandom random(99);
  std::vector<Values> queries{{}, {7}, Values(1'024, 0), Values(1'024, ~0U), piece_of(tracks[1], 100, 14)};
  for (int i = 0; i < 200; ++i) queries.push_back(melody(random, kPieceValues));
  queries.push_back(with_wrong_bits(piece_of(tracks[1], 100), 40));
  // Two seconds of a track within twenty of something else.
  Values mixed = melody(random, kPieceValues);
  const Values part = piece_of(tracks[3], 400, 20);
  std::copy(part.begin(), part.end(), mixed.begin() + 60);
  queries.push_back(mixed);
  CHECK(sounds(*catalog, queries) == std::vector<Ids>(queries.size()));
}

TEST_CASE("CREDIT-26: short overlaps must agree better, and values that hardly change prove nothing") {
  using catalog::is_same_recording;
  CHECK(is_same_recording({8, 8 * 32 / 10, 16}, 8));
  CHECK_FALSE(is_same_recording({8, 8 * 32 / 10 + 1, 16}, 8));
  CHECK_FALSE(is_same_recording({7, 0, 70}, 7));
  CHECK(is_same_recording({24, 24 * 32 * 18 / 100, 48}, 48));
  CHECK_FALSE(is_same_recording({24, 24 * 32 * 18 / 100 + 1, 48}, 48));
  CHECK_FALSE(is_same_recording({23, 23 * 32 * 18 / 100, 48}, 46));
  CHECK_FALSE(is_same_recording({24, 0, 48}, 49));
  CHECK_FALSE(is_same_recording({24, 0, 47}, 48));
}

TEST_CASE("CREDIT-27: a checksum finds the tracks of its file") {
  const std::vector<Track> tracks = measured_tracks();
  const auto catalog = make_memory_catalog(tracks);
  std::vector<Sha256> queries;
  for (const std::uint32_t number : {1U, 297U, 4U, 5'000U}) queries.push_back(hash_of(number));
  std::vector<Ids> found;
  for (const auto& some : catalog->look_up_files(queries)) found.push_back(ids_of(some));
  CHECK(found == std::vector<Ids>{{"t-1"}, {"t-297", "t-298"}, {}, {}});
}

TEST_CASE("CREDIT-28: one recording in two tracks finds both, and tracks taken down are not found") {
  const std::vector<Track> tracks = measured_tracks();
  const auto catalog = make_memory_catalog(tracks);
  CHECK(sounds(*catalog, {piece_of(tracks[297], 300), piece_of(tracks[0], 300)}) ==
        std::vector<Ids>{{"t-297", "t-298"}, {}});
  const std::vector<Sha256> queries{hash_of(0)};
  CHECK(catalog->look_up_files(queries).front().empty());
}

TEST_CASE("lookups by sound and by checksum give the same results in a remote file") {
  const std::vector<Track> tracks = measured_tracks();
  std::vector<Values> queries;
  std::vector<Sha256> hashes;
  SeededRandom random(5);
  for (std::uint32_t i = 0; i < kTracks; i += 7) {
    if (tracks[i].audio) queries.push_back(with_wrong_bits(piece_of(tracks[i], random.below(1'300)), i % 15));
    hashes.push_back(hash_of(i));
  }
  queries.push_back(melody(random, 1'024));
  const std::string bytes = snapshot_bytes(tracks);
  check_resident_and_remote(bytes, [&](const Catalog& catalog) { return sounds(catalog, queries); });
  check_resident_and_remote(bytes, [&](const Catalog& catalog) {
    std::vector<Ids> found;
    for (const auto& some : catalog.look_up_files(hashes)) found.push_back(ids_of(some));
    return found;
  });
  check_resident_and_remote(bytes, [&](const Catalog& catalog) {
    std::vector<Ids> found;
    for (const auto& some : catalog.look_up_mixes(std::span(queries).first(3))) {
      std::vector<FoundTrack> heard;
      heard.reserve(some.size());
      for (const HeardTrack& one : some) heard.push_back(one.found);
      found.push_back(ids_of(heard));
    }
    CHECK(std::any_of(found.begin(), found.end(), [](const Ids& ids) { return !ids.empty(); }));
    return found;
  });
}

TEST_CASE("CREDIT-26: a call with many fingerprints keeps only the blocks of one") {
  const std::vector<Track> tracks = measured_tracks();
  std::vector<Values> queries;
  for (std::uint32_t i = 1; i < kTracks; i += 12) {
    if (tracks[i].audio) queries.push_back(piece_of(tracks[i], 100 + i));
  }
  REQUIRE(queries.size() == 20);
  const std::string bytes = snapshot_bytes(tracks);
  const auto kept_blocks = [&](std::span<const Values> some) {
    const auto paged = paged_snapshot_of_bytes(bytes, Blocks::after_replay);
    const auto catalog = replayed([&] { return Catalog::open(paged, {}).value(); });
    paged->end_request();
    const auto found = replayed([&] { return catalog->look_up_fingerprints(some); });
    CHECK(std::all_of(found.begin(), found.end(), [](const auto& tracks_found) { return tracks_found.size() == 1; }));
    return paged->kept_blocks_max();
  };
  const std::size_t of_one = kept_blocks(std::span(queries).first(1));
  CHECK(of_one > 4);
  CHECK(kept_blocks(queries) <= of_one + 2);
}

TEST_CASE("a catalog without audio finds nothing by sound") {
  std::vector<Track> tracks = measured_tracks();
  const Values piece = piece_of(tracks[1], 0);
  for (Track& track : tracks) track.audio = nullptr;
  const auto catalog = make_memory_catalog(tracks);
  CHECK(catalog->look_up_fingerprints(std::vector<Values>{piece}).front().empty());
  CHECK(catalog->look_up_files(std::vector<Sha256>{hash_of(1)}).front().empty());
}

TEST_CASE("index entries that refer to missing fingerprints throw instead of crashing") {
  const std::vector<Track> tracks = measured_tracks();
  const std::string bytes = snapshot_bytes(tracks);
  for (const std::uint32_t place : {0xffffffffU, 0xfffffbfeU, 0x7fffffffU, 1'000'000U}) {
    const std::string hostile = modified_snapshot(bytes, "", [place](catalog::SectionId id, auto& data) {
      if (id != catalog::SectionId::fingerprint_index) return;
      std::uint64_t count = 0;
      std::memcpy(&count, data.data(), sizeof count);
      REQUIRE(count > 0);
      for (std::uint64_t i = 0; i < count; ++i) {
        std::memcpy(data.data() + data.size() - (i + 1) * sizeof(std::uint64_t), &place, sizeof place);
      }
    });
    for (const std::shared_ptr<const SqliteSnapshot>& snapshot :
         {snapshot_of_bytes(hostile),
          std::static_pointer_cast<const SqliteSnapshot>(paged_snapshot_of_bytes(hostile, Blocks::immediate))}) {
      const auto catalog = Catalog::open(snapshot, {}).value();
      CHECK_THROWS_AS((void)catalog->look_up_fingerprints(std::vector<Values>{piece_of(tracks[1], 0)}), Failure);
      CHECK_THROWS_AS((void)catalog->look_up_mixes(std::vector<Values>{piece_of(tracks[1], 0)}), Failure);
    }
  }
}
