#pragma once
// Separates sentences that a source joined without a space ("It is nice.This is next."), if certain (BUILD-17). Pure.

#include <string>
#include <string_view>

namespace tonearm::builder {

/// Adds a space after the full stop, question mark or exclamation mark between two sentences. Possible URLs, domains,
/// file names and abbreviations are not changed. REQUIRES: is_utf8(text).
std::string separate_sentences(std::string_view text);

}  // namespace tonearm::builder
