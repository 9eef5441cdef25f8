#pragma once
// Finds TOML that is nested too deeply for a parser that recurses. Pure.

#include <cstdint>
#include <optional>
#include <string_view>

namespace tonearm::native {

/// A table, an array, and each part of a dotted key or of a header is a level. Real files have fewer than ten.
inline constexpr std::size_t kTomlLevelsMax = 64;

/// Returns the first line with a value that has more than kTomlLevelsMax levels. Reads the text once, without strings
/// and comments. After an error of syntax, where parsers stop, the result has no meaning.
std::optional<std::uint64_t> line_nested_too_deeply(std::string_view text);

}  // namespace tonearm::native
