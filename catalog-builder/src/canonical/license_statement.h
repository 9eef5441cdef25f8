#pragma once
// The licenses that sources state for a recording, and which of several statements counts. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "canonical/line.h"

namespace tonearm::builder {

/// A license, offered or not, with or without its version ("cc-by"), or one that the catalog does not support.
struct LicenseStatement {
  std::string id;  // empty: not supported by the catalog
  std::uint64_t line = 0;
  std::size_t input = 0;  // index in the report
};

/// Returns the statement of a line, even if the line is rejected for another reason; nullopt if it states no license.
std::optional<LicenseStatement> statement_of(const std::variant<Line, Rejection>& line);

/// Whether two ids may mean the same license: they are equal, or differ only in that one has no version.
bool may_be_same_license(std::string_view one, std::string_view other);

/// The outcome of several statements about a recording, as indices.
struct Resolution {
  std::size_t chosen = 0;                // the strictest
  std::optional<std::size_t> differing;  // the first that differs from the chosen one
  bool is_contradictory = false;         // none covers all: NonCommercial and ShareAlike
};

/// Chooses the strictest of several statements, in any order (LINE-8). An unsupported license is the strictest; then
/// every condition counts (credit, ShareAlike, NonCommercial). With equal conditions, an older version is stricter, and
/// CC is stricter than OGA-BY. A license without version is as strict as the same license with one, which is then
/// chosen. REQUIRES: there is at least one statement.
Resolution resolve(const std::vector<LicenseStatement>& stated);

}  // namespace tonearm::builder
