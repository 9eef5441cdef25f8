#include <sndfile.h>

#include <algorithm>
#include <array>
#include <memory>

#include "demo/sound.h"
#include "runtime/failure.h"

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

void put_number(std::string& bytes, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i) & 0xFFU);
}

std::uint32_t page_checksum(const char* page, std::size_t size) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum ^= std::uint32_t{static_cast<unsigned char>(page[i])} << 24U;
    for (int bit = 0; bit < 8; ++bit) sum = (sum << 1U) ^ ((sum >> 31U) != 0 ? 0x04C11DB7U : 0U);
  }
  return sum;
}

/// libsndfile numbers its streams by chance; a fixed number makes the same file of the same sound (RFC 3533, 6).
void number_stream(std::string& bytes, std::uint32_t serial) {
  constexpr std::size_t kHead = 27;
  for (std::size_t page = 0; page < bytes.size();) {
    if (bytes.compare(page, 4, "OggS") != 0 || page + kHead > bytes.size())
      throw Failure("the encoder made no Ogg file");
    const std::size_t segments = static_cast<unsigned char>(bytes[page + 26]);
    std::size_t size = kHead + segments;
    for (std::size_t i = 0; i < segments; ++i) size += static_cast<unsigned char>(bytes[page + kHead + i]);
    put_number(bytes, page + 14, serial);
    put_number(bytes, page + 22, 0);
    put_number(bytes, page + 22, page_checksum(bytes.data() + page, size));
    page += size;
  }
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
