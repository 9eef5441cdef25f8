#include "decoding/mp3.h"

#include <mpg123.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "decoding/sample_budget.h"

namespace tonearm::audio {
namespace {

constexpr std::size_t kBlockBytes = 256 * 1024;

struct Mp3Format {
  long sample_rate = 0;
  int channels = 0;

  friend bool operator==(const Mp3Format&, const Mp3Format&) = default;
};

struct DeleteDecoder {
  void operator()(mpg123_handle* decoder) const { mpg123_delete(decoder); }
};
using Decoder = std::unique_ptr<mpg123_handle, DeleteDecoder>;

Decoder open_decoder(const std::string& path) {
  Decoder decoder(mpg123_new(nullptr, nullptr));
  if (!decoder || mpg123_param(decoder.get(), MPG123_ADD_FLAGS, MPG123_FORCE_FLOAT | MPG123_QUIET, 0) != MPG123_OK ||
      mpg123_open(decoder.get(), path.c_str()) != MPG123_OK) {
    return nullptr;
  }
  return decoder;
}

Mp3Format format_of(mpg123_handle* decoder) {
  Mp3Format format;
  int encoding = 0;
  mpg123_getformat(decoder, &format.sample_rate, &format.channels, &encoding);
  return format;
}

using FourBytes = std::array<unsigned char, 4>;

bool is_frame_header(const FourBytes& bytes) {
  const auto is_reserved = [&](std::size_t byte, unsigned shift, unsigned mask, unsigned value) {
    return (unsigned{bytes.at(byte)} >> shift & mask) == value;
  };
  const bool is_sync = bytes[0] == 0xFF && (bytes[1] & 0xE0U) == 0xE0U;
  return is_sync && !is_reserved(1, 3, 3, 1) && !is_reserved(1, 1, 3, 0) && !is_reserved(2, 4, 15, 15) &&
         !is_reserved(2, 2, 3, 3);
}

}  // namespace

AudioStart start_of_audio(const std::string& path) {
  constexpr int kTagsMax = 8;
  constexpr std::streamoff kTagHeaderBytes = 10;
  constexpr std::array<std::string_view, 6> kContainers{"RIFF", "RIFX", "RF64", "FORM", "fLaC", "OggS"};
  std::ifstream file(path, std::ios::binary);
  std::array<char, kTagHeaderBytes> head{};
  const std::string_view text(head.data(), head.size());
  std::streamoff at = 0;
  for (int tags = 0; tags <= kTagsMax; ++tags) {
    if (!file.seekg(at) || !file.read(head.data(), head.size())) return AudioStart::unknown;
    if (!text.starts_with("ID3")) break;
    std::streamoff size = 0;
    for (std::size_t i = 6; i < head.size(); ++i) size = size << 7U | (head.at(i) & 0x7F);
    at += kTagHeaderBytes + size;
  }
  if (std::find(kContainers.begin(), kContainers.end(), text.substr(0, 4)) != kContainers.end()) {
    return AudioStart::container;
  }
  FourBytes bytes{};
  std::transform(head.begin(), head.begin() + 4, bytes.begin(), [](char c) { return static_cast<unsigned char>(c); });
  return is_frame_header(bytes) ? AudioStart::mpeg : AudioStart::unknown;
}

std::optional<std::string> decode_mp3(const std::string& path, SampleSink& sink) {
  const Decoder decoder = open_decoder(path);
  if (!decoder) return "it is not a readable audio file";
  const Mp3Format first = format_of(decoder.get());
  if (first.sample_rate <= 0 || first.channels < 1) return "it contains no samples";
  // Only the first frame must be near the beginning.
  mpg123_param(decoder.get(), MPG123_RESYNC_LIMIT, -1, 0);
  const Format format{static_cast<std::uint32_t>(first.sample_rate), static_cast<std::uint32_t>(first.channels)};
  sink.begin(format);
  std::error_code error;  // ignored: the file may have disappeared
  SampleBudget budget(std::filesystem::file_size(path, error), format);

  std::vector<float> block(kBlockBytes / sizeof(float));
  bool is_same_format = true;
  for (int status = MPG123_OK; status == MPG123_OK || status == MPG123_NEW_FORMAT;) {
    std::size_t bytes = 0;
    status = mpg123_read(decoder.get(), reinterpret_cast<unsigned char*>(block.data()), kBlockBytes, &bytes);
    const std::size_t count = is_same_format ? bytes / sizeof(float) : 0;
    if (count > 0) {
      if (auto too_many = budget.add(count)) return too_many;
      if (!are_valid_samples({block.data(), count})) return "it contains invalid samples";
      sink.write({block.data(), count - count % format.channels});
    }
    // The block precedes the format change.
    if (status == MPG123_NEW_FORMAT) is_same_format = format_of(decoder.get()) == first;
    if (status != MPG123_OK && status != MPG123_NEW_FORMAT && status != MPG123_DONE) {
      return "it cannot be decoded to the end";
    }
  }
  if (budget.used() == 0) return "it contains no samples";
  return std::nullopt;
}

std::string mp3_decoder_version() { return "libmpg123 " + std::to_string(MPG123_API_VERSION); }

}  // namespace tonearm::audio
