#pragma once
// The words of a credit line before they are put together, each of one line, so that plain text and Markdown say the
// same (LICENSE-3 to LICENSE-6).

#include <string>
#include <string_view>

#include "tonearm/license.h"

namespace tonearm {

struct CreditParts {
  std::string title;        // empty: none
  std::string artist;       // empty: none
  std::string source_page;  // empty: none
  /// What stands between the work and the name of its license; for a license that is not known, the end of the line.
  std::string_view grant;
  const License& license;

  bool is_licensed() const { return license.id != LicenseId::unknown; }
};

/// What a work without a title is called.
inline constexpr std::string_view kUntitledWork = "This work";

CreditParts credit_parts(const Credit& credit);

}  // namespace tonearm
