#pragma once
// The bytes of a file, unpacked where its name ends in .gz or .zst, in pieces of bounded size.

#include <memory>
#include <span>
#include <string>

namespace tonearm::builder {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `out` from the front and gives the number of bytes; 0 only at the end. Throws Failure when the file
  /// cannot be read, is cut off or is damaged.
  virtual std::size_t read(std::span<char> out) = 0;
};

/// Throws Failure when the file cannot be opened.
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

}  // namespace tonearm::builder
