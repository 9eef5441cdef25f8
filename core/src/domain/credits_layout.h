#pragma once
// What the formats of credits have in common (domain/credits.h): their order and groups, and the words that stand in
// several of them. For the files that write formats. Pure.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/credits.h"
#include "tonearm/dates.h"
#include "tonearm/license.h"

namespace tonearm {

/// Entries of one attribution, with the heading above them.
struct CreditGroup {
  std::string heading;
  std::vector<const CreditEntry*> entries;
};

/// In the order of CREDIT-3; without empty groups. The first has the heading that was asked for, if any, as one line
/// (CREDIT-14).
std::vector<CreditGroup> credit_groups(std::span<const CreditEntry> entries, const CreditsOptions& options);
std::vector<const CreditEntry*> in_credit_order(std::span<const CreditEntry> entries);

/// The closing line of a collection that holds non-commercial tracks (CREDIT-15); empty: it holds none.
std::string non_commercial_line(std::span<const CreditEntry> entries);

inline Credit credit_of(const CreditEntry& entry) {
  return {entry.title, entry.artist, entry.source_page, entry.license};
}

/// What ends an entry's line. `escape` makes what is not ours fit for the format.
template <class Escape>
std::string ending_of(const CreditEntry& entry, const Escape& escape) {
  std::string ending;
  if (const auto changes = changes_text(entry.modifications)) ending += " Changes: " + escape(*changes) + '.';
  if (entry.license_changed) {
    ending += " License recorded on " + rfc3339_date(entry.recorded_s) + "; the source now states another one.";
  }
  return ending;
}

/// Whether it is an address that may become a link.
bool is_web_page(std::string_view url);

}  // namespace tonearm
