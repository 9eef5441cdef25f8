#pragma once
// The parts of a credit line, each a single line, so that all formats have the same words (LICENSE-3 to LICENSE-6).

#include <string>
#include <string_view>

#include "tonearm/license.h"

namespace tonearm {

struct CreditParts {
  std::string title;        // empty: none
  std::string artist;       // empty: none
  std::string source_page;  // empty: none
  /// The text between the work and the name of its license. For an unknown license, the end of the line.
  std::string_view grant;
  const License& license;

  bool is_licensed() const { return license.id != LicenseId::unknown; }
};

/// The name of a work without a title.
inline constexpr std::string_view kUntitledWork = "This work";

CreditParts credit_parts(const Credit& credit);

}  // namespace tonearm
