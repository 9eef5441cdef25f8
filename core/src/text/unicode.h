#pragma once
// Unicode text: validity, length, case folding and single lines. Pure, thread-safe.

#include <cstdint>
#include <string>
#include <string_view>

namespace tonearm::text {

/// Whether `text` is well-formed UTF-8 (no surrogates, no overlong forms, at most U+10FFFF).
bool is_utf8(std::string_view text);

/// Replaces each byte outside a well-formed sequence by U+FFFD.
std::string valid_utf8(std::string_view text);

/// Counts the code points. REQUIRES: is_utf8(text).
std::size_t code_points(std::string_view text);

/// Returns the first `count` code points. REQUIRES: is_utf8(text).
std::string_view first_code_points(std::string_view text, std::size_t count);

/// Reads the code point that begins at `at` and moves `at` after it. REQUIRES: is_utf8(text), at < text.size().
char32_t next_code_point(std::string_view text, std::size_t& at);
void append_utf8(std::string& out, char32_t code_point);

/// Applies Unicode's full case folding (FILTER-9: case-insensitive over Unicode). REQUIRES: is_utf8(text).
std::string fold_case(std::string_view text);

/// C0 and C1 controls and DEL.
bool is_control(char32_t c);
/// Embeddings, overrides and isolates (U+202A..E, U+2066..9), which can reorder the text around them. Plain direction
/// marks are not included.
bool is_bidi_override(char32_t c);
bool is_line_break(char32_t c);  // LF, VT, FF, CR, NEL, LS, PS
/// Unicode's White_Space.
bool is_white_space(char32_t c);
/// White space, or a mark that separates the words of a search: , ; / |
bool is_word_separator(char32_t c);

/// Removes white space from both ends; reads nothing between them. REQUIRES: is_utf8(text).
std::string_view trimmed(std::string_view text);

/// Puts text on one line: line breaks with the white space around them become one space, tabs become spaces, and
/// controls, bidi overrides and spaces at both ends are removed.
std::string one_line(std::string_view text);

/// Prepares user input for a message: at most 64 characters, without control characters (ERROR-4). Bytes that are not
/// UTF-8 become U+FFFD.
std::string quotable(std::string_view input);

}  // namespace tonearm::text
