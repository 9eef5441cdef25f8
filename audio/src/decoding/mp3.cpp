#include "decoding/mp3.h"

#include <fmt/format.h>
#include <mpg123.h>

#include <memory>
#include <vector>

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
      mpg123_param(decoder.get(), MPG123_RESYNC_LIMIT, -1, 0) != MPG123_OK ||
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

}  // namespace

std::optional<std::string> decode_mp3(const std::string& path, SampleSink& sink) {
  const Decoder decoder = open_decoder(path);
  if (!decoder) return "it is not a readable audio file";
  const Mp3Format first = format_of(decoder.get());
  if (first.sample_rate <= 0 || first.channels < 1) return "it contains no samples";
  sink.begin({static_cast<std::uint32_t>(first.sample_rate), static_cast<std::uint32_t>(first.channels)});
  const auto channels = static_cast<std::uint64_t>(first.channels);
  const auto samples_max = kSecondsMax * static_cast<std::uint64_t>(first.sample_rate) * channels;

  std::vector<float> block(kBlockBytes / sizeof(float));
  std::uint64_t samples = 0;
  bool is_same_format = true;
  for (int status = MPG123_OK; status == MPG123_OK || status == MPG123_NEW_FORMAT;) {
    std::size_t bytes = 0;
    status = mpg123_read(decoder.get(), reinterpret_cast<unsigned char*>(block.data()), kBlockBytes, &bytes);
    const std::size_t count = is_same_format ? bytes / sizeof(float) : 0;
    if (count > 0) {
      samples += count;
      if (samples > samples_max) return fmt::format("it is longer than {} hours", kSecondsMax / 3600);
      if (!are_valid_samples({block.data(), count})) return "it contains invalid samples";
      sink.write({block.data(), count - count % channels});
    }
    // The block precedes the format change.
    if (status == MPG123_NEW_FORMAT) is_same_format = format_of(decoder.get()) == first;
    if (status != MPG123_OK && status != MPG123_NEW_FORMAT && status != MPG123_DONE) {
      return "it cannot be decoded to the end";
    }
  }
  if (samples == 0) return "it contains no samples";
  return std::nullopt;
}

std::string mp3_decoder_version() { return "libmpg123 " + std::to_string(MPG123_API_VERSION); }

}  // namespace tonearm::audio
