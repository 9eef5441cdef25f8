#pragma once
// Recognizes the license that a text names: a Creative Commons URL, an SPDX id, or an exact name with a version. Pure.

#include <optional>
#include <string>
#include <vector>

#include "canonical/line.h"
#include "mapping/mapping.h"

namespace tonearm::builder {

/// A license, possibly without a version ("cc-by"), or the reason why the catalog does not accept it.
struct NamedLicense {
  std::string id;  // empty: none
  Reason reason = Reason::license_unknown;
  std::string message;
  /// Returns whether the text is understood, even if the catalog does not accept the license.
  bool is_known() const {
    return !id.empty() || (reason != Reason::license_unknown && reason != Reason::license_ambiguous);
  }
};

/// Reads a text that names one license. An expression of several ("A AND B", "A OR B") is ambiguous.
NamedLicense read_license(const std::string& text, const std::vector<LicenseRule>& rules);

/// Reads prose, such as a LICENSE file. It counts only if it names one license and otherwise contains only the words of
/// a notice. Any other word may state an exception, so the text is ambiguous.
NamedLicense read_notice(const std::string& text, const std::vector<LicenseRule>& rules);

/// Returns whether prose names a license or contains words such as "permission".
bool mentions_rights(const std::string& text);

}  // namespace tonearm::builder
