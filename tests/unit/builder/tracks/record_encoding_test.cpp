#include "tracks/record_encoding.h"

#include <doctest/doctest.h>

#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include "random_tracks.h"
#include "tonearm/result.h"

namespace tonearm::builder {

TEST_CASE("a decoded track equals the encoded one, except for its neighbors") {
  test::SeededRandom random(1);
  for (int round = 0; round < 300; ++round) {
    auto track = random_track(random);
    const auto decoded = decode<Track>(encode(track));
    CHECK(decoded.neighbors.empty());
    track.neighbors.clear();
    CHECK(members_of(decoded) == members_of(track));
  }
}

template <std::size_t... Index>
void note_set(const Track& track, std::vector<bool>& was_set, std::index_sequence<Index...>) {
  const Track unset;
  const auto is_set = [](const auto& member, const auto& other) { return !(member == other); };
  ((was_set[Index] = was_set[Index] || is_set(std::get<Index>(members_of(track)), std::get<Index>(members_of(unset)))),
   ...);
}

TEST_CASE("the random tracks set every member, so that none can be forgotten") {
  constexpr std::size_t kMembers = std::tuple_size_v<decltype(members_of(Track()))>;
  std::vector<bool> was_set(kMembers);
  test::SeededRandom random(1);
  for (int round = 0; round < 300; ++round) {
    note_set(random_track(random), was_set, std::make_index_sequence<kMembers>());
  }
  for (std::size_t i = 0; i < kMembers; ++i) {
    CAPTURE(i);
    CHECK(was_set[i]);
  }
}

TEST_CASE("the largest and smallest numbers are preserved") {
  Track track;
  track.duration_ms = std::numeric_limits<std::uint64_t>::max();
  track.bpm_hundredths = std::numeric_limits<std::uint32_t>::max();
  track.quality = std::numeric_limits<std::uint16_t>::max();
  for (const auto loudness : {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max(), -1}) {
    track.loudness_hundredths = loudness;
    CHECK(members_of(decode<Track>(encode(track))) == members_of(track));
  }
}

TEST_CASE("cut-off bytes and bytes left over are failures") {
  test::SeededRandom random(2);
  for (int round = 0; round < 20; ++round) {
    const auto bytes = encode(random_track(random));
    for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 16) {
      CHECK_THROWS_AS(decode<Track>(bytes.substr(0, size)), Failure);
    }
    CHECK_THROWS_AS(decode<Track>(bytes + '\0'), Failure);
  }
  const auto texts = encode(std::vector<std::string>{"a-1", "a-2"});
  CHECK_THROWS_WITH_AS(decode<std::vector<std::string>>(texts.substr(0, texts.size() - 1)),
                       doctest::Contains("incomplete"), Failure);
}

TEST_CASE("damaged bytes are a failure or another track") {
  test::SeededRandom random(3);
  for (int round = 0; round < 300; ++round) {
    auto bytes = encode(random_track(random));
    for (int i = 0; i < 5; ++i) bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    try {
      decode<Track>(bytes);
    } catch (const Failure&) {  // as good as another track
    }
  }
}

TEST_CASE("lists are preserved") {
  const std::vector<std::string> ids{"a-1", "", std::string(1000, 'x')};
  CHECK(decode<std::vector<std::string>>(encode(ids)) == ids);
  const std::vector<std::uint32_t> neighbors{0, 1, 127, 128, 1U << 31U, std::numeric_limits<std::uint32_t>::max()};
  CHECK(decode<std::vector<std::uint32_t>>(encode(neighbors)) == neighbors);
}

}  // namespace tonearm::builder
