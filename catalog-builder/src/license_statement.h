#pragma once
// What sources state about the license of one recording, and which of several statements is the stricter. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "line.h"

namespace tonearm::builder {

/// One license, offered or not, with its version or without ("cc-by"), or one that the catalog does not take at all.
struct LicenseStatement {
  std::string id;  // empty: none that the catalog takes
  std::uint64_t line = 0;
  std::string file;
};

/// What the line states, or why it is left out for its license; nothing where it states none.
std::optional<LicenseStatement> statement_of(const std::variant<Line, Fault>& line);

/// Of two statements: whether the first asks more of who uses the work. A license that is not taken asks most; then
/// counts every condition (credit, ShareAlike, NonCommercial); under the same conditions the older version, and CC
/// before OGA-BY. A license without its version is neither stricter nor milder than the same with one.
bool is_stricter(const LicenseStatement& one, const LicenseStatement& other);

/// Neither covers the other: NonCommercial beside ShareAlike.
bool are_at_odds(const LicenseStatement& one, const LicenseStatement& other);

}  // namespace tonearm::builder
