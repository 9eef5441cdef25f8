#pragma once
// Sentences that a source glued together ("It is nice.This is the next."), mended where that is certain (BUILD-17).
// Pure.

#include <string>
#include <string_view>

namespace tonearm::builder {

/// A space behind the full stop, question or exclamation mark between two sentences. What may be an address, a domain,
/// a file or an abbreviation stays. REQUIRES: is_utf8(text).
std::string mend_sentences(std::string_view text);

}  // namespace tonearm::builder
