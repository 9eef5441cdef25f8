#include "tonearm/block_hashes.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "../sample_tracks.h"
#include "memory_catalog.h"
#include "system/system_ports.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

std::string sample_snapshot() {
  constexpr int kTracks = 40;
  std::vector<Track> tracks;
  tracks.reserve(kTracks);
  for (int i = 0; i < kTracks; ++i) tracks.push_back(music("x-" + std::to_string(i), "rain song " + std::to_string(i)));
  return snapshot_bytes(tracks);
}

BlockHashes hashes_of(const std::string& bytes, Hashing& hashing) {
  const auto offset = BlockHashes::offset_in(bytes, bytes.size());
  return {bytes.substr(static_cast<std::size_t>(offset)), bytes.size(), hashing};
}

}  // namespace

TEST_CASE("the end of a snapshot proves every block before it") {
  native::OpensslHashing hashing;
  const auto bytes = sample_snapshot();
  const auto hashes = hashes_of(bytes, hashing);
  REQUIRE(hashes.count() > 1);
  CHECK(hashes.file_size() == bytes.size());
  CHECK(hashes.count() * kBlockBytes + hashes.tail().size() == bytes.size());
  CHECK(hashes.end() == bytes.substr(bytes.size() - kSnapshotEndBytes));
  CHECK_FALSE(hashes.signature());
  const auto catalog = Catalog::open(snapshot_of_bytes(bytes), {});
  REQUIRE(catalog.has_value());
  CHECK(hashes.version() == (*catalog)->version());
  for (std::uint32_t number = 0; number < hashes.count(); ++number) {
    auto block = bytes.substr(number * kBlockBytes, kBlockBytes);
    CHECK(hashes.matches(number, block, hashing));
    block[number] = static_cast<char>(block[number] ^ 1);
    CHECK_FALSE(hashes.matches(number, block, hashing));
  }
  CHECK_FALSE(hashes.matches(0, bytes.substr(0, 100), hashing));
}

TEST_CASE("a changed byte of the end is detected, except in the signature, which others verify") {
  native::OpensslHashing hashing;
  const auto bytes = sample_snapshot();
  const auto begin = static_cast<std::size_t>(BlockHashes::offset_in(bytes, bytes.size()));
  std::vector<std::size_t> changed;
  for (std::size_t at = begin; at < bytes.size() - kSnapshotEndBytes; ++at) changed.push_back(at);
  for (std::size_t at = bytes.size() - 128; at < bytes.size() - 64; ++at) changed.push_back(at);  // without the roots
  for (const std::size_t at : changed) {
    auto altered = bytes;
    altered[at] = static_cast<char>(altered[at] ^ 0x10);
    CAPTURE(at);
    CHECK_THROWS_AS(hashes_of(altered, hashing), CatalogDamaged);
  }
}

TEST_CASE("anything but the end of a snapshot is refused") {
  native::OpensslHashing hashing;
  const auto bytes = sample_snapshot();
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, kSnapshotEndBytes - 1, kSnapshotEndBytes}) {
    CHECK_THROWS_AS(BlockHashes::offset_in(std::string(size, '\0'), size), CatalogDamaged);
  }
  CHECK_THROWS_AS(BlockHashes::offset_in(bytes, bytes.size() + 1), CatalogDamaged);
  CHECK_THROWS_AS(BlockHashes(bytes.substr(bytes.size() - 300), bytes.size(), hashing), CatalogDamaged);
}
