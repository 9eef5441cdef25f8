#pragma once
// The bytes of blobs in a snapshot (docs/snapshot-format.md). Readers check every bound and throw
// sql::Failure: a damaged or hostile file never reads beyond its blob.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/doc_set.h"
#include "catalog/statement.h"

namespace tonearm::catalog {

/// A word in tracks: positions upwards, and beside each the word's impact there (score.h), 1..255.
struct WordPostings {
  std::vector<std::uint32_t> positions;
  std::vector<std::uint8_t> impacts;
};

std::string encode_word(const WordPostings& postings);
/// `count` is what the row says beside the blob; positions lie below `size`.
WordPostings decode_word(std::string_view bytes, std::int64_t count, std::uint32_t size);

/// A sorted list, or a bitmap where more than 1/32 of `size` tracks are in it.
std::string encode_facet(const std::vector<std::uint32_t>& positions, std::uint32_t size);
/// Adds the facet's tracks to a set over `size` positions.
void decode_facet(std::string_view bytes, std::int64_t count, DocSet& set);

/// Fixed-width little-endian arrays.
template <class Unsigned>
std::string encode_array(const std::vector<Unsigned>& values) {
  std::string bytes;
  bytes.reserve(values.size() * sizeof(Unsigned));
  for (const Unsigned value : values) {
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
      bytes.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * i) & 0xffU));
    }
  }
  return bytes;
}

template <class Unsigned>
std::vector<Unsigned> decode_array(std::string_view bytes) {
  if (bytes.size() % sizeof(Unsigned) != 0) damaged("an array is cut");
  std::vector<Unsigned> values(bytes.size() / sizeof(Unsigned));
  for (std::size_t at = 0; at < values.size(); ++at) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i) {
      value |= std::uint64_t{static_cast<unsigned char>(bytes[at * sizeof(Unsigned) + i])} << (8 * i);
    }
    values[at] = static_cast<Unsigned>(value);
  }
  return values;
}

}  // namespace tonearm::catalog
