#pragma once
// Whether an answer is the one that a step expects.

#include <optional>
#include <string>
#include <vector>

#include "case_file.h"
#include "tonearm/http.h"

namespace tonearm::cases {

/// Where two JSON values differ first, as "/pointer: found ..., expected ..."; nothing where they are equal. The order
/// of an object's members counts, and so does how a number is written: 120 is not 120.0 (SERVICE-3).
std::optional<std::string> difference(const boost::json::value& found, const boost::json::value& expected,
                                      const std::string& pointer = {});

/// One sentence for each mismatch. `expect.body` has its captured values filled in.
std::vector<std::string> mismatches(const Response& answer, const Expectation& expect);

}  // namespace tonearm::cases
