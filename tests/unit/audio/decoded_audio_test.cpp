#include "decoding/decoded_audio.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "decoding/mp3.h"
#include "scratch_folder.h"
#include "synthesis.h"

namespace tonearm::audio {

namespace {

struct Counted final : SampleSink {
  void begin(Format of) override { format = of; }
  void write(std::span<const float> block) override {
    samples += block.size();
    for (const auto sample : block) is_finite = is_finite && std::isfinite(sample);
  }
  Format format;
  std::uint64_t samples = 0;
  bool is_finite = true;
};

std::string float_wav(float value) {
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &value, 4);
  return test::wav_of(bytes + bytes, 3, test::kRate, 1, 32);
}

/// Returns silent frames of MPEG-1 layer III, mono, 128 kbit/s, 1152 samples each.
std::string mp3_frames(std::size_t count) {
  const std::string frame = "\xFF\xFB\x90\xC0" + std::string(413, '\0');
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) bytes += frame;
  return bytes;
}

}  // namespace

TEST_CASE("an MP3 file is decoded past a broken frame and past a frame of another format") {
  const test::ScratchFolder folder;
  const std::string other_format = std::string("\xFF\xE3\x18\0", 4) + std::string(68, '\0');  // 8 kHz, stereo
  for (const auto& damage : {std::string(), other_format, std::string(417, '\x55')}) {
    Counted counted;
    CHECK_FALSE(decode(folder.write("a.mp3", mp3_frames(100) + damage + mp3_frames(100)), counted));
    CHECK(counted.format.sample_rate == 44'100);
    CHECK(counted.format.channels == 1);
    CHECK(counted.samples >= 195 * 1'152);
    CHECK(counted.samples <= 200 * 1'152);
  }
}

TEST_CASE("BUILD-28: decoders write nothing to stderr, whatever a file contains") {
  const test::ScratchFolder folder;
  const auto good = mp3_frames(20);
  const auto tag = std::string("ID3\4\0\0\0\0\0\5", 10) + "abcde";
  std::mt19937 random(5);
  const int real_stderr = ::dup(STDERR_FILENO);
  const int captured = ::open(folder.path("stderr").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  ::dup2(captured, STDERR_FILENO);
  int decoded = 0;
  for (int round = 0; round < 60; ++round) {
    auto bytes = (round % 3 == 0 ? tag : std::string()) + good;
    for (int i = 0; i < 50 && round > 2; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    Counted counted;
    if (!decode(folder.write("a.mp3", bytes), counted)) ++decoded;
    decode(folder.write("b.mp3", std::string(static_cast<std::size_t>(round), 'x') + bytes), counted);
  }
  ::dup2(real_stderr, STDERR_FILENO);
  ::close(real_stderr);
  ::close(captured);
  CHECK(folder.read("stderr").empty());
  CHECK(decoded >= 3);
}

TEST_CASE("audio is recognized by its first bytes after tags, not by the name of the file") {
  const test::ScratchFolder folder;
  const auto start_of = [&](const std::string& bytes) { return start_of_audio(folder.write("a.mp3", bytes)); };
  const auto frames = mp3_frames(2);
  const auto tag = std::string("ID3\4\0\0\0\0\0\5", 10) + "abcde";
  CHECK(start_of(frames) == AudioStart::mpeg);
  CHECK(start_of(tag + tag + frames) == AudioStart::mpeg);
  CHECK(start_of(tag + "fLaC and more") == AudioStart::container);
  CHECK(start_of(test::wav(test::silence(0.1))) == AudioStart::container);
  for (const auto& bytes :
       {std::string("once upon a time"), std::string("\xFF\xFB"), "x" + frames,
        std::string("ID3\4\0\0\x7f\x7f\x7f\x7f", 10), std::string("\xFF\xF1\x50\x80 AAC of ADTS")}) {
    CHECK(start_of(bytes) == AudioStart::unknown);
  }
}

TEST_CASE("a whole file is decoded after its format") {
  const test::ScratchFolder folder;
  Counted counted;
  CHECK_FALSE(decode(folder.write("a.wav", test::wav(test::tone(1.5, 440), 2)), counted));
  CHECK(counted.format.sample_rate == test::kRate);
  CHECK(counted.format.channels == 2);
  CHECK(counted.samples == 2 * test::kRate * 3 / 2);
}

TEST_CASE("an error in a file is reported as a sentence") {
  const test::ScratchFolder folder;
  const auto good = test::wav(test::tone(1, 440));
  const auto quiet_nan = std::numeric_limits<float>::quiet_NaN();
  struct Row {
    std::string bytes;
    std::string_view error;
  };
  const Row rows[] = {
      {"", "the file is empty"},
      {"once upon a time there was a text", "it is not a readable audio file"},
      {good.substr(0, good.size() / 2), "the file is cut off: its header states 88244 bytes, 44122 are present"},
      {test::wav({}), "it contains no samples"},
      {test::wav_of(std::string(4'000, '\0'), 1, test::kRate, 1'000, 16), "it has 1000 channels; 1 to 8 are supported"},
      {test::wav_of(std::string(4'000, '\0'), 1, test::kRate, 9, 16), "it has 9 channels; 1 to 8 are supported"},
      {test::wav_of(std::string(400, '\0'), 1, 999, 1, 16),
       "its sample rate is 999 Hz; 1000 to 384000 Hz are supported"},
      {test::wav_of(std::string(400, '\0'), 1, 2'000'000, 1, 16),
       "its sample rate is 2000000 Hz; 1000 to 384000 Hz are supported"},
      {float_wav(quiet_nan), "it contains invalid samples"},
      {float_wav(std::numeric_limits<float>::infinity()), "it contains invalid samples"},
      {float_wav(-1e30F), "it contains invalid samples"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.error);
    Counted counted;
    CHECK(decode(folder.write("a.wav", row.bytes), counted).value_or("") == row.error);
  }
  Counted counted;
  CHECK(decode(folder.path("absent.wav"), counted) == "the file cannot be read");
  CHECK(decode(folder.path(), counted) == "it is not a regular file");
  // 0 Hz: the decoder itself may reject it.
  CHECK(decode(folder.write("a.wav", test::wav_of(std::string(400, '\0'), 1, 0, 1, 16)), counted));
}

TEST_CASE("mutated files are decoded or rejected, and never yield invalid samples") {
  const test::ScratchFolder folder;
  const auto good = test::wav(test::noise(0.05, 1), 2);
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    auto bytes = good;
    for (int i = 0; i < 4; ++i) bytes[random() % (round % 2 == 0 ? 44 : bytes.size())] = static_cast<char>(random());
    if (round % 5 == 0) bytes.resize(random() % bytes.size());
    Counted counted;
    decode(folder.write("a.wav", bytes), counted);
    CHECK(counted.is_finite);
    CHECK(counted.samples <= bytes.size() * 8);
  }
}

}  // namespace tonearm::audio
