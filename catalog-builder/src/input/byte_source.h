#pragma once
// Reads the bytes of a file in pieces, and decompresses files whose names end in .gz or .zst.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace tonearm::builder {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Fills `out` from the front and returns the number of bytes; 0 only at the end. Throws Failure if the file cannot
  /// be read, is truncated or damaged, or decompresses beyond its bounds.
  virtual std::size_t read(std::span<char> out) = 0;
  /// The number of bytes read from the file on disk.
  virtual std::uint64_t compressed_bytes() const = 0;
};

/// The limits of decompression: at most `bytes_max`, and beyond `free_bytes` at most `ratio_max` times the compressed
/// size.
struct UnpackBounds {
  std::uint64_t bytes_max = std::uint64_t{256} << 30U;
  std::uint64_t ratio_max = 400;
  std::uint64_t free_bytes = std::uint64_t{64} << 20U;
};

/// Throws Failure if the file cannot be opened.
std::unique_ptr<ByteSource> open_bytes(const std::string& path, const UnpackBounds& bounds = {});

}  // namespace tonearm::builder
