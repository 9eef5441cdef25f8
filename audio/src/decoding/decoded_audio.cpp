#include "decoding/decoded_audio.h"

#include <fmt/format.h>
#include <sndfile.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "decoding/mp3.h"
#include "decoding/sample_budget.h"

namespace tonearm::audio {

namespace {

constexpr std::size_t kBlockFrames = 16'384;
using SoundFile = std::unique_ptr<SNDFILE, decltype(&sf_close)>;

bool is_known_format(int format) {
  switch (format & SF_FORMAT_TYPEMASK) {
    case SF_FORMAT_WAV:
    case SF_FORMAT_WAVEX:
    case SF_FORMAT_RF64:
    case SF_FORMAT_AIFF:
    case SF_FORMAT_FLAC:
    case SF_FORMAT_OGG:
      return true;
    default:
      return false;
  }
}

/// Returns the file size in a RIFF or AIFF header, or nothing for other formats and for headers without a size.
std::optional<std::uint64_t> size_in_header(const std::string& path) {
  std::array<unsigned char, 8> head{};
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(head.data()), head.size())) return std::nullopt;
  const std::string magic(head.begin(), head.begin() + 4);
  const auto byte = [&](std::size_t i) { return std::uint64_t{head[i]}; };
  std::uint64_t size = 0;
  if (magic == "RIFF") {
    size = byte(4) | byte(5) << 8 | byte(6) << 16 | byte(7) << 24;
  } else if (magic == "FORM") {
    size = byte(7) | byte(6) << 8 | byte(5) << 16 | byte(4) << 24;
  }
  if (size == 0 || size >= 0x7FFFFFFF) return std::nullopt;
  return size + 8;
}

/// Checks a file before it is opened as audio.
std::optional<std::string> check_file(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error || !std::filesystem::exists(status)) return "the file cannot be read";
  // A pipe or device may block forever.
  if (!std::filesystem::is_regular_file(status)) return "it is not a regular file";
  const auto size = std::filesystem::file_size(path, error);
  if (error) return "the file cannot be read";
  if (size == 0) return "the file is empty";
  if (!std::ifstream(path, std::ios::binary)) return "the file cannot be read";
  if (const auto expected = size_in_header(path); expected && *expected > size) {
    return fmt::format("the file is cut off: its header states {} bytes, {} are present", *expected, size);
  }
  return std::nullopt;
}

std::optional<std::string> check_header(const SF_INFO& info) {
  if (!is_known_format(info.format)) return "it is not WAV, AIFF, FLAC, Ogg, Opus or MP3";
  if (info.samplerate < static_cast<int>(kSampleRateMin) || info.samplerate > static_cast<int>(kSampleRateMax)) {
    return fmt::format("its sample rate is {} Hz; {} to {} Hz are supported", info.samplerate, kSampleRateMin,
                       kSampleRateMax);
  }
  if (info.channels < 1 || info.channels > static_cast<int>(kChannelsMax)) {
    return fmt::format("it has {} channels; 1 to {} are supported", info.channels, kChannelsMax);
  }
  return std::nullopt;
}

/// Returns the number of frames in the header, if it is exact: only that of FLAC is.
std::optional<std::uint64_t> stated_frames(const SF_INFO& info) {
  if ((info.format & SF_FORMAT_TYPEMASK) != SF_FORMAT_FLAC || info.frames <= 0 || info.frames == SF_COUNT_MAX)
    return std::nullopt;
  return static_cast<std::uint64_t>(info.frames);
}

std::optional<std::string> decode_blocks(SNDFILE* file, const SF_INFO& info, SampleBudget& budget, SampleSink& sink) {
  const auto channels = static_cast<std::size_t>(info.channels);
  std::vector<float> block(kBlockFrames * channels);
  for (;;) {
    const auto count = sf_readf_float(file, block.data(), static_cast<sf_count_t>(kBlockFrames));
    if (count <= 0) break;
    const std::span<const float> samples(block.data(), static_cast<std::size_t>(count) * channels);
    if (auto error = budget.add(samples.size())) return error;
    if (!are_valid_samples(samples)) return "it contains invalid samples";
    sink.write(samples);
  }
  if (sf_error(file) != SF_ERR_NO_ERROR) return "it cannot be decoded to the end";
  if (budget.used() == 0) return "it contains no samples";
  const auto frames = budget.used() / channels;
  if (const auto stated = stated_frames(info); stated && frames < *stated) {
    return fmt::format("the file is cut off: {} of {} samples are present", frames, *stated);
  }
  return std::nullopt;
}

}  // namespace

bool are_valid_samples(std::span<const float> block) {
  // 60 dB above full scale: recordings are never that loud, but other data that is read as floats is.
  constexpr float kLoudestSample = 1'000;
  return std::all_of(block.begin(), block.end(), [](float sample) { return std::fabs(sample) <= kLoudestSample; });
}

std::optional<std::string> decode(const std::string& path, SampleSink& sink) {
  if (auto error = check_file(path)) return error;
  // libsndfile lets libmpg123 write to stderr, so it opens neither MPEG audio nor what its name calls MP3 (BUILD-28).
  const auto start = start_of_audio(path);
  if (start == AudioStart::mpeg) return decode_mp3(path, sink);
  if (start == AudioStart::unknown) return "it is not a readable audio file";
  SF_INFO info{};
  SoundFile file(sf_open(path.c_str(), SFM_READ, &info), sf_close);
  if (!file) return "it is not a readable audio file";
  if (auto error = check_header(info)) return error;
  const Format format{static_cast<std::uint32_t>(info.samplerate), static_cast<std::uint32_t>(info.channels)};
  std::error_code error;  // ignored: the file may have disappeared
  const auto bytes = std::filesystem::file_size(path, error);
  if (const auto frames = stated_frames(info)) {
    if (auto too_many = SampleBudget(bytes, format).add(*frames * format.channels)) return too_many;
  }
  SampleBudget budget(bytes, format);
  // Normalizes all formats to a full scale of 1.
  sf_command(file.get(), SFC_SET_NORM_FLOAT, nullptr, SF_TRUE);
  sink.begin(format);
  return decode_blocks(file.get(), info, budget, sink);
}

std::string decoder_version() { return std::string(sf_version_string()) + " " + mp3_decoder_version(); }

}  // namespace tonearm::audio
