#pragma once
// The strict check of a request before Boost.Beast parses it: a list of rules, each with its clause in the standards.
// Beast alone lets too much pass for a server behind proxies (docs/adr/0044). Pure, thread-safe.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tonearm::native {

/// Bounds of a head, in bytes (CHECK-1: at least 16 KB are taken).
inline constexpr std::size_t kHeadBytesMax = 32 * 1024;
inline constexpr std::size_t kTargetBytesMax = 16 * 1024;
inline constexpr std::size_t kMethodBytesMax = 32;
inline constexpr std::size_t kFieldsMax = 100;
/// All the chunk extensions of one body, in bytes.
inline constexpr std::size_t kChunkExtensionBytesMax = 256;
inline constexpr std::size_t kChunkSizeDigitsMax = 8;
inline constexpr std::size_t kTrailerBytesMax = 4 * 1024;

/// Why a head is refused: answered as `invalid_request` with this status, then the connection closes (CHECK-1).
struct HeadError {
  int status = 400;
  std::string_view message;
};

/// Finds the end of a head while its bytes arrive, and holds the whole head against the rules. A byte that no head may
/// hold is refused at once, so that nobody waits for the end of something that is not HTTP.
class StrictHead {
 public:
  enum class State : std::uint8_t { more, accepted, refused };

  /// `bytes` is all that has arrived, including what earlier calls have seen.
  State scan(std::string_view bytes);

  /// Where the head starts (after an empty line, which RFC 9112, 2.2 allows before it) and ends.
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return seen_; }
  const HeadError& error() const { return error_; }

 private:
  State refuse(const HeadError& error);

  std::size_t begin_ = 0;
  std::size_t seen_ = 0;
  std::size_t line_begin_ = 0;
  bool in_request_line_ = true;
  HeadError error_;
};

/// The target as the core knows it: "/path?query" also where it came in the absolute form (RFC 9112, 3.2.2), "*" where
/// it is meant for the server as a whole (3.2.4). REQUIRES: of an accepted head.
std::string origin_form(std::string_view target);

/// What comes before the size of a chunk.
enum class BeforeChunk : std::uint8_t { nothing, data };

/// What stands where a chunk starts.
struct ChunkStart {
  /// `more`: nothing wrong as far as the bytes have arrived. `last`: the whole end of the body, with its trailer.
  enum class State : std::uint8_t { more, chunk, last, malformed };

  State state = State::more;
  std::size_t bytes = 0;  // of the last chunk's line, its trailer and the empty line
};

/// `bytes` start where the data of a chunk ends, or where the body starts.
ChunkStart scan_chunk_start(BeforeChunk before, std::string_view bytes);

}  // namespace tonearm::native
