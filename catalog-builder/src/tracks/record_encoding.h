#pragma once
// Packs values into the bytes of a record, which only the same process reads again. Numbers and sizes are varints.

#include <string>
#include <string_view>

namespace tonearm::builder {

/// Packs a `Track` without its neighbors, a `std::vector<std::string>` or a `std::vector<std::uint32_t>`.
template <class Value>
std::string encode(const Value& value);

/// Returns the value that was packed. Throws Failure if bytes are missing or left over.
template <class Value>
Value decode(std::string_view bytes);

}  // namespace tonearm::builder
