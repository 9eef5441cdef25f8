#include <sndfile.h>

#include <algorithm>
#include <array>
#include <memory>

#include "decoding/ogg_stream.h"
#include "demo/sound.h"
#include "tonearm/result.h"

namespace tonearm::builder::demo {
namespace {

constexpr sf_count_t kFramesAtOnce = 4'096;  // libvorbis keeps what is written at once on the stack
constexpr double kQuality = 0.55;

/// A file in memory, as libsndfile wants it.
struct Memory {
  std::string bytes;
  sf_count_t at = 0;
};

SF_VIRTUAL_IO memory_calls() {
  SF_VIRTUAL_IO calls{};
  calls.get_filelen = [](void* user) { return static_cast<sf_count_t>(static_cast<Memory*>(user)->bytes.size()); };
  calls.tell = [](void* user) { return static_cast<Memory*>(user)->at; };
  calls.seek = [](sf_count_t offset, int whence, void* user) {
    auto& memory = *static_cast<Memory*>(user);
    const auto size = static_cast<sf_count_t>(memory.bytes.size());
    memory.at = offset + (whence == SEEK_CUR ? memory.at : whence == SEEK_END ? size : 0);
    return memory.at;
  };
  calls.read = [](void* to, sf_count_t count, void* user) {
    auto& memory = *static_cast<Memory*>(user);
    const auto left = static_cast<sf_count_t>(memory.bytes.size()) - memory.at;
    count = std::clamp<sf_count_t>(count, 0, left);
    std::copy_n(memory.bytes.data() + memory.at, count, static_cast<char*>(to));
    memory.at += count;
    return count;
  };
  calls.write = [](const void* from, sf_count_t count, void* user) {
    auto& memory = *static_cast<Memory*>(user);
    const auto end = static_cast<std::size_t>(memory.at + count);
    if (memory.bytes.size() < end) memory.bytes.resize(end);
    std::copy_n(static_cast<const char*>(from), count, memory.bytes.data() + memory.at);
    memory.at += count;
    return count;
  };
  return calls;
}

}  // namespace

std::string ogg_vorbis(const Samples& samples, const SoundTags& tags, std::uint32_t serial) {
  Memory memory;
  auto calls = memory_calls();
  SF_INFO info{};
  info.samplerate = kSampleRate;
  info.channels = 2;
  info.format = SF_FORMAT_OGG | SF_FORMAT_VORBIS;
  {
    const std::unique_ptr<SNDFILE, decltype(&sf_close)> file(sf_open_virtual(&calls, SFM_WRITE, &info, &memory),
                                                             sf_close);
    if (file == nullptr) throw Failure(std::string("libsndfile cannot write Ogg Vorbis: ") + sf_strerror(nullptr));
    double quality = kQuality;
    sf_command(file.get(), SFC_SET_VBR_ENCODING_QUALITY, &quality, sizeof quality);
    sf_set_string(file.get(), SF_STR_TITLE, tags.title.c_str());
    sf_set_string(file.get(), SF_STR_ARTIST, tags.artist.c_str());
    sf_set_string(file.get(), SF_STR_LICENSE, tags.license.c_str());
    sf_set_string(file.get(), SF_STR_GENRE, tags.genre.c_str());
    sf_set_string(file.get(), SF_STR_COMMENT, tags.comment.c_str());
    const auto frames = static_cast<sf_count_t>(samples.size() / 2);
    for (sf_count_t at = 0; at < frames; at += kFramesAtOnce) {
      const auto count = std::min(kFramesAtOnce, frames - at);
      if (sf_writef_float(file.get(), samples.data() + at * 2, count) != count) {
        throw Failure(std::string("libsndfile cannot encode: ") + sf_strerror(file.get()));
      }
    }
  }
  number_stream(memory.bytes, serial);
  return std::move(memory.bytes);
}

}  // namespace tonearm::builder::demo
