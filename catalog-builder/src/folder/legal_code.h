#pragma once
// Whole legal codes of licenses, as people put them into a LICENSE file. Pure.

#include <optional>
#include <string>

namespace tonearm::builder {

/// The SPDX id of the license whose legal code the text is, and nothing but it.
std::optional<std::string> license_of_legal_code(const std::string& text);

}  // namespace tonearm::builder
