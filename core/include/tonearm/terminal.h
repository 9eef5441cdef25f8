#pragma once
// Escapes untrusted texts for terminals and logs, so that they cannot control the terminal or forge lines. Programs
// print all untrusted text through these functions. Pure, thread-safe.

#include <string>
#include <string_view>

namespace tonearm::terminal {

/// Returns a text as one line. Control characters (C0, C1, DEL, all line breaks) and Unicode's embeddings, overrides
/// and isolates become JSON escapes such as `\u001b`. Bytes that are not UTF-8 become U+FFFD (PROGRAM-20).
std::string line(std::string_view text);

/// Like `line`, but keeps line feeds.
std::string lines(std::string_view text);

}  // namespace tonearm::terminal
