#pragma once
// The strict check of a request's head (RFC 9112), on plain bytes: what it refuses never reaches the core.
// Pure, thread-safe.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "tonearm/http.h"

namespace tonearm::native {

/// Bounds of a head, in bytes (C1.1: at least 16 KB are taken).
inline constexpr std::size_t kHeadBytesMax = 32 * 1024;
inline constexpr std::size_t kTargetBytesMax = 16 * 1024;
inline constexpr std::size_t kMethodBytesMax = 32;
inline constexpr std::size_t kFieldsMax = 100;

enum class Framing : std::uint8_t { none, content_length, chunked };

/// A head that passed, and what the connection has to know of it.
struct CheckedHead {
  RequestHead head;
  Framing framing = Framing::none;
  std::uint64_t content_length = 0;
  int minor_version = 1;
  bool keep_alive = true;
  bool expect_continue = false;
};

/// Why a head was refused: always answered as `invalid_request` with this status, and then closed (C1.1).
struct HeadFault {
  int status = 400;
  std::string message;

  friend bool operator==(const HeadFault&, const HeadFault&) = default;
};

/// Checks a whole head: the request line, the fields, and the empty line that ends them.
std::variant<CheckedHead, HeadFault> check_head(std::string_view bytes);

/// Finds the end of a head while its bytes come in. A byte that no head can hold is a fault at once, so that
/// nobody waits for the end of something that is not HTTP.
class HeadScanner {
 public:
  enum class State : std::uint8_t { more, complete, fault };

  /// `bytes` is all that came so far, of which the earlier calls have seen a part.
  State scan(std::string_view bytes);

  /// Where the head begins (behind one empty line, which RFC 9112, 2.2 lets stand before it) and ends.
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return seen_; }
  const HeadFault& fault() const { return fault_; }

 private:
  State refuse(int status, std::string_view message);

  std::size_t begin_ = 0;
  std::size_t seen_ = 0;
  std::size_t line_begin_ = 0;
  bool in_request_line_ = true;
  HeadFault fault_;
};

/// Whether the comma-separated field value holds that token (case-insensitive).
bool has_token(std::string_view value, std::string_view token);

/// ASCII only.
bool equals_ignoring_case(std::string_view a, std::string_view b);

}  // namespace tonearm::native
