#pragma once
// Shared by the files that write the formats of credits (domain/credits.h): order, groups and common texts. Pure.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/credits.h"
#include "tonearm/dates.h"
#include "tonearm/license.h"

namespace tonearm {

/// The entries with the same attribution, and their heading.
struct CreditGroup {
  std::string heading;
  std::vector<const CreditEntry*> entries;
};

/// Returns the non-empty groups in the order of CREDIT-3. The first group has the requested heading, if any, as one
/// line (CREDIT-14).
std::vector<CreditGroup> credit_groups(std::span<const CreditEntry> entries, const CreditsOptions& options);
std::vector<const CreditEntry*> in_credit_order(std::span<const CreditEntry> entries);

/// Returns the last line of the credits if there are non-commercial tracks (CREDIT-15), else an empty text.
std::string non_commercial_line(std::span<const CreditEntry> entries);

inline Credit credit_of(const CreditEntry& entry) {
  return {entry.title, credited_name(entry.artist, entry.credit_as), entry.source_page, entry.license};
}

/// Returns the end of an entry's line: its changes, and whether its license changed. `escape` escapes untrusted text.
template <class Escape>
std::string line_suffix(const CreditEntry& entry, const Escape& escape) {
  std::string suffix;
  if (const auto changes = changes_text(entry.modifications)) suffix += " Changes: " + escape(*changes) + '.';
  if (entry.license_changed) {
    suffix += " License recorded on " + rfc3339_date(entry.recorded_s) + "; the source now states another one.";
  }
  return suffix;
}

/// Returns the HTML entity of `&`, `<`, `>` and `"`; empty for other characters.
std::string_view html_entity(char c);

/// Percent-encodes the characters that are invalid in a URL.
std::string encoded_url(std::string_view url);

/// Returns whether `url` may become a link: only http and https.
bool is_web_page(std::string_view url);

}  // namespace tonearm
