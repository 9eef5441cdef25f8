#pragma once
// Texts of others on their way to a terminal or a log: what could steer the terminal, or pass for another line, is
// shown as an escape. The one place of this rule; what programs print goes through it. Pure, thread-safe.

#include <string>
#include <string_view>

namespace tonearm::terminal {

/// A text on one line: controls (C0, C1, DEL, line breaks of all kinds) and what reorders its surroundings (Unicode's
/// embeddings, overrides and isolates) become `\u001b` and the like, which in JSON is the same value. Bytes that are
/// not UTF-8 become U+FFFD (PROGRAM-20).
std::string line(std::string_view text);

/// The same for several lines: a line feed stays.
std::string lines(std::string_view text);

}  // namespace tonearm::terminal
