#pragma once
// Messages between instances of the core, made of fixed-width little-endian numbers and bounded byte strings. A reader
// checks each length before it uses it. Pure, thread-safe.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tonearm {

/// Appends to a message.
class MessageWriter {
 public:
  /// Appends 4 bytes. REQUIRES: value < 2^32.
  void number(std::size_t value) { append(value, 4); }
  /// Appends 8 bytes, two's complement.
  void integer(std::int64_t value) { append(static_cast<std::uint64_t>(value), 8); }
  /// Appends a length and the bytes.
  void text(std::string_view text) {
    number(text.size());
    bytes(text);
  }
  void bytes(std::string_view bytes) { out_ += bytes; }
  void reserve(std::size_t size) { out_.reserve(size); }

  std::string take() { return std::move(out_); }

 private:
  void append(std::uint64_t value, unsigned width) {
    std::array<char, 8> bytes{};
    for (unsigned index = 0; index < width; ++index) bytes.at(index) = static_cast<char>((value >> (8 * index)) & 255U);
    out_.append(bytes.data(), width);
  }

  std::string out_;
};

/// Reads a message from its start. After malformed input, every read returns an empty value and `is_complete` is false.
/// `bytes` returns views into the message, which must outlive them and the reader; `text` returns copies.
class MessageReader {
 public:
  explicit MessageReader(std::string_view message) : rest_(message) {}

  std::uint32_t number() { return static_cast<std::uint32_t>(read(4)); }
  std::int64_t integer() { return static_cast<std::int64_t>(read(8)); }
  std::string_view bytes(std::size_t size) {
    if (size > rest_.size()) is_malformed_ = true;
    if (is_malformed_) return {};
    const auto bytes = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return bytes;
  }
  std::string text(std::size_t size_max) {
    const std::size_t size = number();
    if (size > size_max) is_malformed_ = true;
    return std::string(bytes(size));
  }
  /// Reads the number of following elements. More than `count_max` are malformed.
  std::uint32_t count(std::uint32_t count_max) {
    const std::uint32_t count = number();
    if (count > count_max) is_malformed_ = true;
    return is_malformed_ ? 0 : count;
  }

  bool is_malformed() const { return is_malformed_; }
  bool is_complete() const { return !is_malformed_ && rest_.empty(); }

 private:
  std::uint64_t read(std::size_t width) {
    const auto bytes_read = bytes(width);
    std::uint64_t value = 0;
    for (std::size_t index = bytes_read.size(); index-- > 0;) {
      value = (value << 8U) | static_cast<unsigned char>(bytes_read[index]);
    }
    return value;
  }

  std::string_view rest_;
  bool is_malformed_ = false;
};

}  // namespace tonearm
