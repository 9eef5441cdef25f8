#pragma once
// Repairs of third-party text, each only where it is certain. Pure, thread-safe.

#include <string>
#include <string_view>

namespace tonearm::builder {

/// Undoes UTF-8 that was read as Windows-1252 or Latin-1 and written as UTF-8 again ("SeÃ±or" -> "Señor"), also
/// where it happened twice. It is certain if every character stands for a byte, the bytes are valid UTF-8 with at least
/// one character beyond ASCII, and none of these is more likely two adjacent characters of a text ("CAFÉ™",
/// "BEYONCÉ’S"). Any other text is returned unchanged. REQUIRES: is_utf8(text).
std::string undo_double_encoding(std::string_view text);

/// Undoes HTML's character references: numbers, and the names of ASCII, Latin-1 and common punctuation ("&amp;",
/// "&#039;", "&eacute;"). Anything else stays, also a reference to a character that a text must not hold. Pure.
std::string undo_character_references(std::string_view text);

/// Without HTML's tags: <br> and the end of a paragraph become line ends. A "<" that begins no tag stays.
std::string without_tags(std::string_view text);

/// Several lines: line ends become LF, controls but LF and tab and bidi overrides go, no white space at the ends.
/// REQUIRES: is_utf8(text).
std::string clean_lines(std::string_view text);

/// A tag id of a source's word: lower case, runs of anything but a-z and 0-9 become one hyphen, accents of Latin
/// letters go ("Écossaise" -> "ecossaise"). Empty where nothing is left. REQUIRES: is_utf8(text).
std::string tag_from(std::string_view text);

/// "HolidayHoliday" -> "Holiday".
std::string_view undo_doubling(std::string_view text);

}  // namespace tonearm::builder
