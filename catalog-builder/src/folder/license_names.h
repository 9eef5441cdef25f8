#pragma once
// Which license a text names: an address of Creative Commons, an SPDX id, or an exact name with its version. Pure.

#include <optional>
#include <string>
#include <vector>

#include "canonical/line.h"
#include "mapping/mapping.h"

namespace tonearm::builder {

/// One license, perhaps without its version ("cc-by"), or why it is none that the catalog takes.
struct NamedLicense {
  std::string id;  // empty: none
  Reason reason = Reason::license_unknown;
  std::string message;
  /// Whether it is known what the text means, though no catalog may take it.
  bool is_known() const {
    return !id.empty() || (reason != Reason::license_unknown && reason != Reason::license_ambiguous);
  }
};

/// The whole text names one license. An expression of several ("A AND B", "A OR B") is ambiguous.
NamedLicense read_license(const std::string& text, const std::vector<LicenseRule>& rules);

/// Prose, such as a LICENSE file: it counts only if it names one license and otherwise has no words but those that a
/// notice consists of. Anything else may be an exception, and the text is ambiguous.
NamedLicense read_notice(const std::string& text, const std::vector<LicenseRule>& rules);

/// Whether prose says anything about what is allowed: names a license, or has words such as "permission".
bool speaks_of_rights(const std::string& text);

}  // namespace tonearm::builder
