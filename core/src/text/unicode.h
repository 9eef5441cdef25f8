#pragma once
// Text as Unicode: validity, length, case folding, and what must not stand in one line. Pure, thread-safe.

#include <cstdint>
#include <string>
#include <string_view>

namespace tonearm::text {

/// Whether `text` is well-formed UTF-8 (no surrogates, no overlong forms, at most U+10FFFF).
bool is_utf8(std::string_view text);

/// The text with U+FFFD for each byte that belongs to no well-formed sequence.
std::string valid_utf8(std::string_view text);

/// Number of code points. REQUIRES: is_utf8(text).
std::size_t code_points(std::string_view text);

/// The first `count` code points of a text. REQUIRES: is_utf8(text).
std::string_view first_code_points(std::string_view text, std::size_t count);

/// Reads the code point that begins at `at` and moves `at` behind it. REQUIRES: well-formed, at < size.
char32_t next_code_point(std::string_view text, std::size_t& at);
void append_utf8(std::string& out, char32_t code_point);

/// Unicode's full case folding (FILTER-9: case-insensitive over Unicode). REQUIRES: is_utf8(text).
std::string fold_case(std::string_view text);

/// C0 and C1 controls and DEL.
bool is_control(char32_t c);
/// Embeddings, overrides and isolates, which can reorder what stands around them (U+202A..E, U+2066..9). The
/// plain direction marks of right-to-left text are not among them.
bool is_bidi_override(char32_t c);
bool is_line_break(char32_t c);  // LF, VT, FF, CR, NEL, LS, PS
/// Unicode's White_Space.
bool is_white_space(char32_t c);

/// Without the white space at both ends. REQUIRES: is_utf8(text).
std::string_view trimmed(std::string_view text);

/// One line: runs of line breaks and white space around them become one space; controls (a tab becomes a
/// space) and bidi overrides go; no space at the ends.
std::string one_line(std::string_view text);

/// What a message quotes of the user's input: cut at 64 characters, without control characters (ERROR-4). Bytes
/// that are not UTF-8 become U+FFFD.
std::string quotable(std::string_view input);

}  // namespace tonearm::text
