#include <sndfile.h>

#include <algorithm>
#include <array>
#include <memory>

#include "decoding/ogg_stream.h"
#include "sound/sound.h"
#include "tonearm/result.h"

namespace tonearm::demo {
namespace {

constexpr sf_count_t kFramesAtOnce = 4'096;  // libvorbis puts each block on the stack
constexpr double kQuality = 0.55;

/// An in-memory file for libsndfile.
struct MemoryFile {
  std::string bytes;
  sf_count_t position = 0;
};

SF_VIRTUAL_IO memory_io() {
  SF_VIRTUAL_IO calls{};
  calls.get_filelen = [](void* user) { return static_cast<sf_count_t>(static_cast<MemoryFile*>(user)->bytes.size()); };
  calls.tell = [](void* user) { return static_cast<MemoryFile*>(user)->position; };
  calls.seek = [](sf_count_t offset, int whence, void* user) {
    auto& memory = *static_cast<MemoryFile*>(user);
    const auto size = static_cast<sf_count_t>(memory.bytes.size());
    memory.position = offset + (whence == SEEK_CUR ? memory.position : whence == SEEK_END ? size : 0);
    return memory.position;
  };
  calls.read = [](void* to, sf_count_t count, void* user) {
    auto& memory = *static_cast<MemoryFile*>(user);
    const auto left = static_cast<sf_count_t>(memory.bytes.size()) - memory.position;
    count = std::clamp<sf_count_t>(count, 0, left);
    std::copy_n(memory.bytes.data() + memory.position, count, static_cast<char*>(to));
    memory.position += count;
    return count;
  };
  calls.write = [](const void* from, sf_count_t count, void* user) {
    auto& memory = *static_cast<MemoryFile*>(user);
    const auto end = static_cast<std::size_t>(memory.position + count);
    if (memory.bytes.size() < end) memory.bytes.resize(end);
    std::copy_n(static_cast<const char*>(from), count, memory.bytes.data() + memory.position);
    memory.position += count;
    return count;
  };
  return calls;
}

}  // namespace

std::string ogg_vorbis(const Samples& samples, const SoundTags& tags, std::uint32_t serial) {
  MemoryFile memory;
  auto calls = memory_io();
  SF_INFO info{};
  info.samplerate = kSampleRate;
  info.channels = 2;
  info.format = SF_FORMAT_OGG | SF_FORMAT_VORBIS;
  {
    const std::unique_ptr<SNDFILE, decltype(&sf_close)> file(sf_open_virtual(&calls, SFM_WRITE, &info, &memory),
                                                             sf_close);
    if (file == nullptr) throw Failure(std::string("libsndfile does not write Ogg Vorbis: ") + sf_strerror(nullptr));
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
        throw Failure(std::string("libsndfile failed to encode: ") + sf_strerror(file.get()));
      }
    }
  }
  audio::set_stream_serial(memory.bytes, serial);
  return std::move(memory.bytes);
}

}  // namespace tonearm::demo
