#include "measuring/measurement_cache.h"

#include <doctest/doctest.h>

#include "decoding/digest.h"
#include "scratch_folder.h"
#include "tonearm/result.h"

namespace tonearm::audio {

namespace {

Measurements sample_measurements() {
  Measurements m;
  m.duration_ms = 1'234;
  m.sample_rate = 48'000;
  m.channels = 2;
  m.bpm_hundredths = 12'050;
  m.bpm_confidence = 80;
  m.key = "A minor";
  m.loudness_tenths = -143;
  m.true_peak_tenths = -2;
  m.is_seamless_loop = true;
  m.timbre = {1, -2, 127};
  m.fingerprint = {0xFFFFFFFF, 0, 7};
  m.peaks = {-127, 127};
  return m;
}

}  // namespace

TEST_CASE("a cache returns what was stored, also after it was saved and read") {
  const test::ScratchFolder folder;
  const auto path = folder.path("cache");
  const auto id = sha256_of("a file");
  MeasurementCache cache(path);
  CHECK(cache.message().empty());
  CHECK_FALSE(cache.find(id));
  cache.store(id, sample_measurements());
  Measurements silent;
  cache.store(sha256_of("silence"), silent);
  cache.save();
  const MeasurementCache later(path);
  CHECK(later.message().empty());
  CHECK(later.size() == 2);
  CHECK(later.find(id) == sample_measurements());
  CHECK(later.find(sha256_of("silence")) == silent);
  CHECK(folder.file_count() == 1);
}

TEST_CASE("a cache that is truncated, changed or of another program is empty and reports why") {
  const test::ScratchFolder folder;
  const auto path = folder.path("cache");
  MeasurementCache cache(path);
  cache.store(sha256_of("a file"), sample_measurements());
  cache.save();
  const auto good = folder.read("cache");
  const auto is_rejected = [&](const std::string& bytes) {
    folder.write("cache", bytes);
    const MeasurementCache read(path);
    return read.size() == 0 && read.message().starts_with(path) &&
           read.message().ends_with("every file is measured again");
  };
  for (std::size_t size = 0; size < good.size(); ++size) CHECK(is_rejected(good.substr(0, size)));
  for (std::size_t i = 0; i < good.size(); ++i) {
    auto bytes = good;
    bytes[i] = static_cast<char>(bytes[i] ^ 0x10);
    CHECK(is_rejected(bytes));
  }
  CHECK(is_rejected("RIFF and so on"));
  folder.write("cache", good);
  CHECK(MeasurementCache(path).size() == 1);
}

TEST_CASE("a cache whose lists claim to be huge is rejected without allocating them") {
  const test::ScratchFolder folder;
  MeasurementCache cache(folder.path("cache"));
  cache.store(sha256_of("a file"), sample_measurements());
  cache.save();
  const auto good = folder.read("cache");
  const auto heading = good.substr(0, good.find('\n', good.find('\n') + 1) + 1);
  const auto body = good.substr(heading.size() + 32);
  for (std::size_t i = 0; i + 4 <= body.size(); ++i) {
    auto changed = body;
    changed.replace(i, 4, "\xFF\xFF\xFF\x7F");
    const auto checksum = sha256_of(changed);
    folder.write("cache", std::string(heading).append(checksum.begin(), checksum.end()).append(changed));
    const MeasurementCache read(folder.path("cache"));
    CHECK(read.size() <= 1);
  }
}

TEST_CASE("a cache that is not writable is a failure that names it") {
  MeasurementCache cache("/dev/null/cache");
  cache.store(sha256_of("a file"), sample_measurements());
  CHECK_THROWS_WITH_AS(cache.save(), "/dev/null/cache: the measurements cannot be written", Failure);
}

}  // namespace tonearm::audio
