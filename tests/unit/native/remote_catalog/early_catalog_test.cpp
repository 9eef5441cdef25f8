#include "remote_catalog/early_catalog.h"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "../../catalog/sample_tracks.h"
#include "memory_catalog.h"
#include "remote_catalog/block_requests.h"
#include "scratch_folder.h"
#include "system/system_ports.h"

using namespace tonearm;
using namespace tonearm::native;
using namespace tonearm::test;

namespace {

std::string rain_snapshot(int tracks) {
  std::vector<Track> all;
  for (int i = 0; i < tracks; ++i) {
    all.push_back(music("x-" + std::to_string(i), "rain song " + std::to_string(i)));
    all.back().artist = "Artist " + std::to_string(i % 7);
  }
  return snapshot_bytes(all);
}

SearchQuery early_query(const std::string& text) {
  SearchQuery query;
  query.q = text;
  query.limit = 20;
  return query;
}

/// A snapshot without any block, into which a wait puts what is missing.
struct EarlyFixture {
  ScratchFolder folder;
  OpensslHashing hashing;
  std::string bytes = rain_snapshot(300);
  std::shared_ptr<BlockFile> file;
  std::atomic<int> waits = 0;
  std::shared_ptr<const Catalog> complete = *Catalog::open(snapshot_of_bytes(bytes), {});

  EarlyFixture() {
    const auto offset = static_cast<std::size_t>(BlockHashes::offset_in(bytes, bytes.size()));
    file = std::make_shared<BlockFile>(folder.path("partial"), BlockHashes(bytes.substr(offset), bytes.size(), hashing),
                                       hashing, Interrupted());
  }
  BlockWait wait() {
    return [this](std::span<const std::uint32_t> blocks) {
      ++waits;
      for (const std::uint32_t block : blocks) {
        REQUIRE(file->put(block, std::string_view(bytes).substr(block * kBlockBytes, kBlockBytes)));
      }
    };
  }
  std::shared_ptr<const Catalog> open() {
    const auto opened = open_early(std::make_shared<const EarlySnapshot>(file), {}, wait(), wait());
    REQUIRE(opened.has_value());
    return *opened;
  }
};

std::vector<std::string> rendered_json(const Catalog& catalog, const Page& page) {
  std::vector<std::string> tracks;
  for (const auto& track : catalog.render(page.tracks)) tracks.emplace_back(track.json);
  return tracks;
}

}  // namespace

// HOST-53
TEST_CASE("a catalog with missing blocks answers like the complete one, and lacks blocks afterwards") {
  EarlyFixture with;
  const auto early = with.open();
  CHECK(early->version() == with.complete->version());
  CHECK_FALSE(early->is_in_memory());
  const int waits_to_open = with.waits;
  CHECK(waits_to_open > 0);
  for (const std::string text : {"rain", "song 17", "artist", "nothing", ""}) {
    const auto query = early_query(text);
    const auto expected = with.complete->search(query);
    const auto page = early->search(query);
    CHECK(page.total == expected.total);
    CHECK(page.tracks == expected.tracks);
    CHECK(rendered_json(*early, page) == rendered_json(*with.complete, expected));
    CHECK(early->count(query) == with.complete->count(query));
  }
  CHECK(with.waits > waits_to_open);
  CHECK(early->find("x-5") == with.complete->find("x-5"));
  CHECK(early->creators("artist", 3).size() == 3);
  CHECK(early->words("Rain Song") == with.complete->words("Rain Song"));
  const std::vector<std::string> taken_down{"x-5"};
  const auto without = early->without(taken_down);
  CHECK(without->revision() == with.complete->without(taken_down)->revision());
  CHECK(without->is_taken_down(*without->find("x-5")));
  CHECK_FALSE(early->check_blocks(with.hashing).has_value());
}

// HOST-53
TEST_CASE("a wait that fails ends the call, and the next call tries again") {
  EarlyFixture with;
  std::atomic<bool> fails = false;
  const auto wait = with.wait();
  const auto opened = open_early(std::make_shared<const EarlySnapshot>(with.file), {}, wait, [&](auto blocks) {
    if (fails) throw Failure("the store is away");
    wait(blocks);
  });
  REQUIRE(opened.has_value());
  fails = true;
  CHECK_THROWS_AS((*opened)->search(early_query("song 250")), Failure);
  fails = false;
  CHECK((*opened)->search(early_query("song 250")).total == with.complete->search(early_query("song 250")).total);
}

// HOST-53
TEST_CASE("a snapshot that this program does not serve is refused before it is downloaded") {
  EarlyFixture with;
  SnapshotOptions evaluation;
  evaluation.evaluation = true;
  with.bytes = snapshot_bytes(std::vector<Track>{music("x-1", "rain")}, evaluation);
  const auto offset = static_cast<std::size_t>(BlockHashes::offset_in(with.bytes, with.bytes.size()));
  with.file = std::make_shared<BlockFile>(with.folder.path("other"),
                                          BlockHashes(with.bytes.substr(offset), with.bytes.size(), with.hashing),
                                          with.hashing, Interrupted());
  const auto opened = open_early(std::make_shared<const EarlySnapshot>(with.file), {}, with.wait(), with.wait());
  REQUIRE_FALSE(opened.has_value());
  CHECK(opened.error().message.find("evaluation") != std::string::npos);
}

// HOST-53
TEST_CASE("concurrent calls wait for their own blocks, which one thread fetches") {
  EarlyFixture with;
  BlockRequests requests;
  std::thread fetching([&] {
    for (auto blocks = requests.take(); !blocks.empty(); blocks = requests.take()) {
      with.wait()(blocks);
      requests.finish({});
    }
  });
  const auto wait = [&](std::span<const std::uint32_t> blocks) {
    requests.wait_for(blocks, *with.file, std::chrono::steady_clock::time_point::max());
  };
  const auto opened = open_early(std::make_shared<const EarlySnapshot>(with.file), {}, wait, wait);
  REQUIRE(opened.has_value());
  constexpr int kCalls = 8;
  std::vector<std::thread> calls;
  calls.reserve(kCalls);
  std::atomic<int> right = 0;
  for (int i = 0; i < kCalls; ++i) {
    calls.emplace_back([&, i] {
      const auto query = early_query("song " + std::to_string(i * 30));
      if ((*opened)->search(query).tracks == with.complete->search(query).tracks) ++right;
    });
  }
  for (auto& call : calls) call.join();
  CHECK(right == kCalls);
  requests.stop();
  fetching.join();
}

// HOST-53
TEST_CASE("a wait for blocks ends at its deadline, after a failed fetch, and when the server stops") {
  EarlyFixture with;
  const std::vector<std::uint32_t> block{1};
  using Clock = std::chrono::steady_clock;
  BlockRequests requests;
  CHECK_THROWS_AS(requests.wait_for(block, *with.file, Clock::now()), Failure);
  REQUIRE(requests.take() == block);  // of the wait that ended
  std::thread failing([&] {
    while (!requests.take().empty()) requests.finish("no answer");
  });
  CHECK_THROWS_WITH(requests.wait_for(block, *with.file, Clock::time_point::max()),
                    "the catalog is not downloaded yet: no answer");
  requests.stop();
  failing.join();
  CHECK_THROWS_AS(requests.wait_for(block, *with.file, Clock::time_point::max()), Failure);
  REQUIRE(with.file->put(1, std::string_view(with.bytes).substr(kBlockBytes, kBlockBytes)));
  requests.wait_for(block, *with.file, Clock::time_point::max());
}
