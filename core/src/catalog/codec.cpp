#include "catalog/codec.h"

#include <bit>

namespace tonearm::catalog {
namespace {

constexpr char kListForm = 0;
constexpr char kBitmapForm = 1;
constexpr std::uint32_t kBitmapDensity = 32;

void append_varint(std::string& bytes, std::uint32_t value) {
  for (; value >= 0x80U; value >>= 7U) bytes.push_back(static_cast<char>(value | 0x80U));
  bytes.push_back(static_cast<char>(value));
}

std::uint32_t read_varint(std::string_view bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 35; shift += 7) {
    if (at >= bytes.size()) damaged("a posting is cut");
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80U) {
      if (value > 0xffff'ffffU) break;
      return static_cast<std::uint32_t>(value);
    }
  }
  damaged("a posting holds too large a number");
}

// Each position is written as its distance to the one before, less one; the first as itself.
void append_positions(std::string& bytes, const std::vector<std::uint32_t>& positions) {
  std::uint32_t next = 0;
  for (const auto position : positions) {
    append_varint(bytes, position - next);
    next = position + 1;
  }
}

template <class Visit>
void read_positions(std::string_view bytes, std::size_t& at, std::int64_t count, std::uint32_t size,
                    const Visit& visit) {
  if (count < 0 || count > size) damaged("a posting counts more tracks than there are");
  std::uint64_t next = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::uint64_t position = next + read_varint(bytes, at);
    if (position >= size) damaged("a posting names a track that there is not");
    visit(static_cast<std::uint32_t>(position));
    next = position + 1;
  }
}

void decode_bitmap(std::string_view bytes, std::int64_t count, DocSet& set) {
  if (bytes.size() != (set.size() + 7ULL) / 8) damaged("a bitmap has the wrong size");
  std::int64_t members = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    members += std::popcount(byte);
    set.words()[i / 8] |= std::uint64_t{byte} << (8 * (i % 8));
  }
  if (members != count) damaged("a bitmap differs from its count");
  if (set.size() % 64 != 0 && set.words().back() >> (set.size() % 64) != 0) {
    damaged("a bitmap names a track that there is not");
  }
}

}  // namespace

std::string encode_word(const WordPostings& postings) {
  std::string bytes;
  append_positions(bytes, postings.positions);
  for (const auto impact : postings.impacts) bytes.push_back(static_cast<char>(impact));
  return bytes;
}

WordPostings decode_word(std::string_view bytes, std::int64_t count, std::uint32_t size) {
  WordPostings postings;
  if (count > 0 && count <= size) postings.positions.reserve(static_cast<std::size_t>(count));
  std::size_t at = 0;
  read_positions(bytes, at, count, size, [&](std::uint32_t position) { postings.positions.push_back(position); });
  if (bytes.size() - at != postings.positions.size()) damaged("a posting has the wrong number of impacts");
  postings.impacts.reserve(postings.positions.size());
  for (const char impact : bytes.substr(at)) {
    postings.impacts.push_back(static_cast<std::uint8_t>(static_cast<unsigned char>(impact)));
  }
  return postings;
}

std::string encode_facet(const std::vector<std::uint32_t>& positions, std::uint32_t size) {
  if (positions.size() * kBitmapDensity <= size) {
    std::string list(1, kListForm);
    append_positions(list, positions);
    return list;
  }
  std::string bitmap(1 + (size + 7ULL) / 8, '\0');
  bitmap[0] = kBitmapForm;
  for (const auto position : positions) {
    char& byte = bitmap[1 + position / 8];
    byte = static_cast<char>(static_cast<unsigned char>(byte) | 1U << (position % 8));
  }
  return bitmap;
}

void decode_facet(std::string_view bytes, std::int64_t count, DocSet& set) {
  if (bytes.empty()) damaged("a posting is empty");
  const char form = bytes.front();
  bytes.remove_prefix(1);
  if (form == kBitmapForm) return decode_bitmap(bytes, count, set);
  if (form != kListForm) damaged("a posting has an unknown form");
  std::size_t at = 0;
  read_positions(bytes, at, count, set.size(), [&](std::uint32_t position) { set.add(position); });
  if (at != bytes.size()) damaged("a posting is longer than its count");
}

}  // namespace tonearm::catalog
