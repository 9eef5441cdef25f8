#pragma once
// Recognizes the complete legal code of a license in a LICENSE file. Pure.

#include <optional>
#include <string>

namespace tonearm::builder {

/// Returns the SPDX id of a license if the text is exactly its legal code.
std::optional<std::string> license_of_legal_code(const std::string& text);

}  // namespace tonearm::builder
