#pragma once
// Repairs third-party text, each defect only if it is certain. Pure, thread-safe.

#include <string>
#include <string_view>

namespace tonearm::builder {

/// Decodes UTF-8 that was misread as Windows-1252 or Latin-1 and encoded again ("SeÃ±or" -> "Señor"), also repeatedly.
/// The defect is certain if every character maps to a byte, the bytes are valid UTF-8 with at least one non-ASCII
/// character, and none of these is more likely two adjacent characters of the text ("CAFÉ™", "BEYONCÉ’S"). Other text
/// is returned unchanged. REQUIRES: is_utf8(text).
std::string undo_double_encoding(std::string_view text);

/// Decodes HTML character references: numeric ones, and the names of ASCII, Latin-1 and common punctuation ("&amp;",
/// "&#039;", "&eacute;"). Other references, and those to control characters, are not changed.
std::string decode_character_references(std::string_view text);

/// Removes HTML tags; <br> and </p> become line feeds. A "<" that does not begin a tag is not changed.
std::string strip_tags(std::string_view text);

/// Sanitizes text of several lines: line ends become LF; controls except LF and tab, bidi overrides, and white space at
/// both ends are removed. REQUIRES: is_utf8(text).
std::string sanitize_lines(std::string_view text);

/// Makes a tag id of a word: lower case, without accents on Latin letters, and one hyphen for each run of other
/// characters
/// ("Écossaise" -> "ecossaise"). Empty if no letter or digit remains. REQUIRES: is_utf8(text).
std::string tag_id_from(std::string_view text);

/// Returns "Holiday" for "HolidayHoliday".
std::string_view remove_doubling(std::string_view text);

}  // namespace tonearm::builder
