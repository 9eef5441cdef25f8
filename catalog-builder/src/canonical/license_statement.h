#pragma once
// What sources state about the license of one recording, and which of several statements counts. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "canonical/line.h"

namespace tonearm::builder {

/// One license, offered or not, with its version or without ("cc-by"), or one that the catalog does not take at all.
struct LicenseStatement {
  std::string id;  // empty: none that the catalog takes
  std::uint64_t line = 0;
  std::size_t input = 0;  // of the report
};

/// What the line states, though it is left out for something else; nothing where it states none.
std::optional<LicenseStatement> statement_of(const std::variant<Line, Rejection>& line);

/// Whether two ids can be one statement: the same license, or the same without a version in one of them.
bool say_the_same(std::string_view one, std::string_view other);

/// Which of several statements about one recording count, by their indices.
struct Resolution {
  std::size_t taken = 0;               // the strictest
  std::optional<std::size_t> against;  // the first that it stands above, or is at odds with
  bool is_at_odds = false;             // none covers all: NonCommercial beside ShareAlike
};

/// The strictest of several statements, whatever their order (LINE-8). A license that the catalog does not take is the
/// strictest; then every condition counts (credit, ShareAlike, NonCommercial); under the same conditions the older
/// version is stricter, and CC than OGA-BY. A license without its version is as strict as the same with one, which
/// stands for both. REQUIRES: there is at least one.
Resolution resolve(const std::vector<LicenseStatement>& stated);

}  // namespace tonearm::builder
