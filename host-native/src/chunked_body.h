#pragma once
// Decodes a chunked body (RFC 9112, 7.1) as its bytes come in. Stricter than the RFC where leniency serves only
// attackers: no trailers, and few chunk extensions. Not to be shared between threads.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tonearm::native {

/// All the chunk extensions of one body, in bytes.
inline constexpr std::size_t kChunkExtensionBytesMax = 256;

class ChunkedBody {
 public:
  enum class State : std::uint8_t { more, complete, too_long, fault };

  /// Data beyond `bytes_max` ends the decoding with `too_long`.
  explicit ChunkedBody(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  /// Takes what it can of `input`, and says in `consumed` how much that was. After `complete` the rest of the
  /// input belongs to the next request. The other two ends are for good: no next request can be found.
  State feed(std::string_view input, std::size_t& consumed);

  /// The data so far.
  std::string& data() { return data_; }

 private:
  enum class At : std::uint8_t { size_first, size, extension, size_lf, data, data_cr, data_lf, end_cr, end_lf };

  /// One byte of anything but data. False: it may not stand there.
  bool step(char c);
  bool size_digit(char c);

  std::size_t bytes_max_;
  At at_ = At::size_first;
  std::uint64_t chunk_left_ = 0;
  std::size_t extension_bytes_ = 0;
  int size_digits_ = 0;
  bool complete_ = false;
  std::string data_;
};

}  // namespace tonearm::native
