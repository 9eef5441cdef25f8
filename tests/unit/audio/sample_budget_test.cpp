#include "decoding/sample_budget.h"

#include <doctest/doctest.h>
#include <sndfile.h>

#include <array>

#include "scratch_folder.h"

namespace tonearm::audio {

namespace {

struct CountedSamples final : SampleSink {
  void begin(Format /*format*/) override {}
  void write(std::span<const float> block) override { samples += block.size(); }
  std::uint64_t samples = 0;
};

/// Writes digital silence as FLAC, which has 542 samples for each byte.
std::string silent_flac(const std::string& path, std::uint64_t frames) {
  constexpr int kChannels = 2;
  SF_INFO info{};
  info.samplerate = 48'000;
  info.channels = kChannels;
  info.format = SF_FORMAT_FLAC | SF_FORMAT_PCM_16;
  auto* file = sf_open(path.c_str(), SFM_WRITE, &info);
  REQUIRE(file != nullptr);
  static const std::array<short, 32'768> kSilence{};
  for (auto left = static_cast<sf_count_t>(frames); left > 0;) {
    const auto written =
        sf_writef_short(file, kSilence.data(), std::min<sf_count_t>(left, kSilence.size() / kChannels));
    REQUIRE(written > 0);
    left -= written;
  }
  sf_close(file);
  return path;
}

}  // namespace

TEST_CASE("BUILD-26: ten minutes of digital silence fit in the budget of every encoder") {
  // Bytes that FLAC (usual and longest blocks), Vorbis, Opus and MP3 need for it, as 48 kHz stereo.
  for (const std::uint64_t bytes : {106'112U, 15'640U, 76'425U, 136'368U, 2'400'333U}) {
    SampleBudget budget(bytes, {48'000, 2});
    CHECK_FALSE(budget.add(600 * 48'000 * 2));
  }
}

TEST_CASE("BUILD-26: the budget is 64 samples for each byte, beyond what any file may have") {
  SampleBudget budget(1'000, {48'000, 2});
  CHECK_FALSE(budget.add(kFreeSamples));
  CHECK_FALSE(budget.add(64'000));
  CHECK(budget.add(64) == "its 1000 bytes decode to too many samples: more than 67172864");
  SampleBudget longest(std::uint64_t{1} << 40U, {1'000, 1});
  CHECK_FALSE(longest.add(4 * 3'600 * 1'000));
  CHECK(longest.add(1) == "it is longer than 4 hours");
}

TEST_CASE("BUILD-26: ten minutes of silence are decoded, a small file of twenty is rejected") {
  const test::ScratchFolder folder;
  CountedSamples counted;
  CHECK_FALSE(decode(silent_flac(folder.path("ten.flac"), 600 * 48'000), counted));
  CHECK(counted.samples == 600 * 48'000 * 2);
  const auto error = decode(silent_flac(folder.path("twenty.flac"), 1'200 * 48'000), counted).value_or("");
  CHECK(error.find("decode to too many samples: more than") != std::string::npos);
  CHECK(counted.samples == 600 * 48'000 * 2);  // The header states the length, so nothing more was decoded.
}

}  // namespace tonearm::audio
