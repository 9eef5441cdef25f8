#include "chunked_body.h"

#include <algorithm>

namespace tonearm::native {
namespace {

constexpr int kSizeDigitsMax = 8;

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

bool ChunkedBody::size_digit(char c) {
  const int value = hex_value(c);
  if (value < 0 || ++size_digits_ > kSizeDigitsMax) return false;
  chunk_left_ = chunk_left_ * 16 + static_cast<std::uint64_t>(value);
  at_ = At::size;
  return true;
}

bool ChunkedBody::step(char c) {
  switch (at_) {
    case At::size_first:
      chunk_left_ = 0;
      size_digits_ = 0;
      return size_digit(c);
    case At::size:
      if (c == '\r') {
        at_ = At::size_lf;
        return true;
      }
      if (c == ';') {
        at_ = At::extension;
        return ++extension_bytes_ <= kChunkExtensionBytesMax;
      }
      return size_digit(c);
    case At::extension:
      if (c == '\r') {
        at_ = At::size_lf;
        return true;
      }
      return c != '\n' && c != '\x7f' && (c == '\t' || static_cast<unsigned char>(c) >= 0x20) &&
             ++extension_bytes_ <= kChunkExtensionBytesMax;
    case At::size_lf:
      at_ = chunk_left_ == 0 ? At::end_cr : At::data;
      return c == '\n';
    case At::data_cr:
      at_ = At::data_lf;
      return c == '\r';
    case At::data_lf:
      at_ = At::size_first;
      return c == '\n';
    case At::end_cr:  // anything else would be a trailer
      at_ = At::end_lf;
      return c == '\r';
    case At::end_lf:
      complete_ = true;
      return c == '\n';
    case At::data:
      break;
  }
  return false;
}

ChunkedBody::State ChunkedBody::feed(std::string_view input, std::size_t& consumed) {
  consumed = 0;
  while (consumed < input.size()) {
    if (at_ != At::data) {
      if (!step(input[consumed])) return State::fault;
      ++consumed;
      if (complete_) return State::complete;
      continue;
    }
    if (chunk_left_ > bytes_max_ - data_.size()) return State::too_long;
    const auto count = std::min(static_cast<std::size_t>(chunk_left_), input.size() - consumed);
    data_.append(input.substr(consumed, count));
    consumed += count;
    chunk_left_ -= count;
    if (chunk_left_ == 0) at_ = At::data_cr;
  }
  return State::more;
}

}  // namespace tonearm::native
