#include "decoding/ogg_stream.h"

#include <array>

#include "tonearm/result.h"

namespace tonearm::audio {
namespace {

constexpr std::size_t kHeaderBytes = 27;
constexpr std::size_t kSerialOffset = 14;
constexpr std::size_t kChecksumOffset = 22;
constexpr std::size_t kSegmentsOffset = 26;

void put_number(std::string& bytes, std::size_t at, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i) & 0xFFU);
}

/// Returns the checksum of each possible top byte.
std::array<std::uint32_t, 256> checksum_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    auto sum = byte << 24U;
    for (int bit = 0; bit < 8; ++bit) sum = (sum << 1U) ^ ((sum >> 31U) != 0 ? 0x04C11DB7U : 0U);
    table.at(byte) = sum;
  }
  return table;
}

std::uint32_t page_checksum(const char* page, std::size_t size) {
  static const auto kTable = checksum_table();
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) {
    sum = (sum << 8U) ^ kTable.at((sum >> 24U) ^ static_cast<unsigned char>(page[i]));
  }
  return sum;
}

}  // namespace

void set_stream_serial(std::string& bytes, std::uint32_t serial) {
  for (std::size_t page = 0; page < bytes.size();) {
    if (bytes.compare(page, 4, "OggS") != 0 || page + kHeaderBytes > bytes.size())
      throw Failure("it is not an Ogg file");
    const std::size_t segments = static_cast<unsigned char>(bytes[page + kSegmentsOffset]);
    std::size_t size = kHeaderBytes + segments;
    if (page + size > bytes.size()) throw Failure("it is not a complete Ogg file");
    for (std::size_t i = 0; i < segments; ++i) size += static_cast<unsigned char>(bytes[page + kHeaderBytes + i]);
    if (page + size > bytes.size()) throw Failure("it is not a complete Ogg file");
    put_number(bytes, page + kSerialOffset, serial);
    put_number(bytes, page + kChecksumOffset, 0);
    put_number(bytes, page + kChecksumOffset, page_checksum(bytes.data() + page, size));
    page += size;
  }
}

}  // namespace tonearm::audio
