#pragma once
// The lines of a text file, one at a time, with bounded memory.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "input/byte_source.h"

namespace tonearm::builder {

inline constexpr std::size_t kLineBytesMax = 1U << 20U;

class LineReader {
 public:
  /// Throws Failure when the file cannot be opened.
  explicit LineReader(const std::string& path);

  /// Reads the next line, without its line end; false at the end of the file. A byte-order mark at the beginning of
  /// the file is dropped. Throws Failure, with the number of the line, when the file cannot be read further.
  bool next();

  /// Whether the line is longer than kLineBytesMax: `line()` is empty then.
  bool too_long() const { return too_long_; }
  /// Followed by `kPaddingBytes` more bytes, which simdjson may read.
  const std::string& line() const { return line_; }
  /// Counted from 1.
  std::uint64_t number() const { return number_; }
  /// How many bytes of the file on disk have been read.
  std::uint64_t packed_bytes() const { return bytes_->packed_bytes(); }

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
