#pragma once
// Compares an answer with the one that a step expects.

#include <optional>
#include <string>
#include <vector>

#include "case_file.h"
#include "tonearm/http.h"

namespace tonearm::cases {

/// Returns the first difference of two JSON values as "/pointer: found ..., expected ...", or nothing if they are
/// equal. The order of an object's members counts, and the form of a number too: 120 is not 120.0 (SERVICE-3).
std::optional<std::string> difference(const boost::json::value& found, const boost::json::value& expected,
                                      const std::string& pointer = {});

/// Returns a sentence for each mismatch. REQUIRES: captured values are filled in in `expect.body`.
std::vector<std::string> mismatches(const Response& answer, const Expectation& expect);

}  // namespace tonearm::cases
