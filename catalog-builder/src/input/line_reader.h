#pragma once
// Reads a text file line by line, with bounded memory.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "input/byte_source.h"

namespace tonearm::builder {

inline constexpr std::size_t kLineBytesMax = 1U << 20U;

class LineReader {
 public:
  /// Throws Failure if the file cannot be opened.
  explicit LineReader(const std::string& path);

  /// Reads the next line, without its line feed; false at the end of the file. Skips a byte-order mark at the beginning
  /// of the file. Throws Failure with the line number if the file cannot be read.
  bool next();

  /// Whether the line is longer than kLineBytesMax; `line()` is then empty.
  bool too_long() const { return too_long_; }
  /// The line. Its buffer has `kPaddingBytes` more bytes, which simdjson may read.
  const std::string& line() const { return line_; }
  /// The number of the line, from 1.
  std::uint64_t number() const { return number_; }
  /// The number of bytes read from the file on disk.
  std::uint64_t compressed_bytes() const { return bytes_->compressed_bytes(); }

  static constexpr std::size_t kPaddingBytes = 64;

 private:
  bool refill();

  std::unique_ptr<ByteSource> bytes_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::string line_;
  bool too_long_ = false;
  std::uint64_t number_ = 0;
};

}  // namespace tonearm::builder
