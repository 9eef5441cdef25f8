#pragma once
// The bytes of a file, unpacked where its name ends in .gz or .zst, in pieces of bounded size.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace tonearm::builder {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `out` from the front and gives the number of bytes; 0 only at the end. Throws Failure when the file
  /// cannot be read, is cut off or is damaged, or when a packed one unpacks beyond its bounds.
  virtual std::size_t read(std::span<char> out) = 0;
  /// How many bytes of the file on disk have been read.
  virtual std::uint64_t packed_bytes() const = 0;
};

/// How far a packed file may unpack: at most to `bytes_max`, and beyond `free_bytes` at most to `ratio_max` times its
/// size.
struct UnpackBounds {
  std::uint64_t bytes_max = std::uint64_t{256} << 30U;
  std::uint64_t ratio_max = 400;
  std::uint64_t free_bytes = std::uint64_t{64} << 20U;
};

/// Throws Failure when the file cannot be opened.
std::unique_ptr<ByteSource> open_bytes(const std::string& path, const UnpackBounds& bounds = {});

}  // namespace tonearm::builder
