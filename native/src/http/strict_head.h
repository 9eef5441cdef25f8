#pragma once
// Checks a request strictly before it is parsed, by a list of rules, each with its clause in the standards, because a
// server behind proxies must reject what two parsers could read differently (docs/adr/0044). Pure, thread-safe.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tonearm::native {

/// Limits of a head, in bytes (CHECK-1: at least 16 KB are accepted).
inline constexpr std::size_t kHeadBytesMax = 32 * 1024;
inline constexpr std::size_t kTargetBytesMax = 16 * 1024;
inline constexpr std::size_t kMethodBytesMax = 32;
inline constexpr std::size_t kFieldsMax = 100;
/// For all chunk extensions of one body together, in bytes.
inline constexpr std::size_t kChunkExtensionBytesMax = 256;
inline constexpr std::size_t kChunkSizeDigitsMax = 8;
inline constexpr std::size_t kTrailerBytesMax = 4 * 1024;

/// Why a head is rejected. The response is `invalid_request` with this status, and the connection closes (CHECK-1).
struct HeadError {
  int status = 400;
  std::string_view message;
};

/// How a body is framed (RFC 9112, 6), and whether the client waits before it sends the body (RFC 9110, 10.1.1).
struct BodyFraming {
  bool is_chunked = false;
  std::uint64_t length = 0;  // 0 if it is chunked
  bool expects_continue = false;

  bool has_body() const { return is_chunked || length > 0; }
};

/// What the fields of an accepted head say about the connection and the body.
struct Framing {
  int minor_version = 1;
  /// RFC 9112, 9.3: "close" overrides "keep-alive". Proxy-Connection is ignored.
  bool is_persistent = true;
  BodyFraming body;
};

/// Finds the end of a head while its bytes arrive, and checks the complete head. A byte that no head may contain is
/// rejected at once, so that the server does not wait for the end of something that is not HTTP.
class StrictHead {
 public:
  enum class State : std::uint8_t { more, accepted, refused };

  /// `bytes`: all that has arrived, including what earlier calls have scanned.
  State scan(std::string_view bytes);

  /// The offsets of the head; an empty line may precede it (RFC 9112, 2.2).
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return scanned_; }
  const HeadError& error() const { return error_; }
  /// REQUIRES: the head is accepted.
  const Framing& framing() const { return framing_; }

 private:
  State refuse(const HeadError& error);
  std::optional<HeadError> scan_text(std::string_view bytes);

  std::size_t begin_ = 0;
  std::size_t scanned_ = 0;
  std::size_t line_begin_ = 0;
  bool in_request_line_ = true;
  HeadError error_;
  Framing framing_;
};

struct RequestLine {
  bool has_three_parts = false;
  std::string_view method;
  std::string_view target;
  std::string_view version;
};

RequestLine split_request_line(std::string_view line);

/// Removes the first line and its CRLF from `bytes` and returns the line. REQUIRES: bytes of an accepted head.
std::string_view next_line(std::string_view& bytes);

/// Returns the target in the form that the core expects: "/path?query", also for the absolute form (RFC 9112, 3.2.2),
/// or "*" for the server as a whole (3.2.4). REQUIRES: the target is of an accepted head.
std::string origin_form(std::string_view target);

/// What precedes the size of a chunk.
enum class BeforeChunk : std::uint8_t { nothing, data };

/// The result of scanning the start of a chunk.
struct ChunkStart {
  /// `more`: valid so far, but incomplete. `last`: the complete end of the body, with its trailer.
  enum class State : std::uint8_t { more, chunk, last, malformed };

  State state = State::more;
  std::size_t bytes = 0;  // of the last chunk's line, its trailer and the empty line
};

/// `bytes` start after the data of a chunk, or at the start of the body.
ChunkStart scan_chunk_start(BeforeChunk before, std::string_view bytes);

}  // namespace tonearm::native
