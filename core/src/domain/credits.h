#pragma once
// The credits of a collection (CREDIT-3 to CREDIT-15, LICENSE-3): the line of each entry, and the document in each
// format. Entries come from license records, which state the license at the time of adding (CREDIT-2). Pure and
// thread-safe. All strings are UTF-8; titles, artists, source pages, texts and notes are untrusted.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "domain/collection.h"
#include "domain/modifications.h"
#include "tonearm/license.h"

namespace tonearm {

struct CreditEntry {
  std::uint32_t position = 0;  // in the collection, from 0
  std::string track_id;
  std::string title;
  std::string artist;       // may be empty
  std::string credit_as;    // the name to credit instead of the artist; empty: none
  std::string source_page;  // empty: null
  LicenseId license = LicenseId::cc0;
  LicenseStatus license_status = LicenseStatus::listed;
  Attribution attribution = Attribution::optional;
  Modifications modifications;
  bool license_changed = false;  // ITEM-3
  std::int64_t recorded_s = 0;   // Unix seconds
  std::string note;              // empty: null
  bool non_commercial = false;   // by its record or its current license (CREDIT-15)
};

/// Makes an entry from a license record. The other members are those of a track that is in no collection.
CreditEntry credit_entry(const LicenseRecord& record);

/// The options of a request.
struct CreditsOptions {
  std::string_view heading;  // replaces the first heading; empty: the default
};

struct CreditCounts {
  std::uint32_t required = 0;
  std::uint32_t requested = 0;
  std::uint32_t optional = 0;

  friend bool operator==(const CreditCounts&, const CreditCounts&) = default;
};

/// Returns the `changes` of a credit: chips in the specification's order, each once, then `; ` and the text as one line
/// without a final period. Returns nothing if both are empty.
std::optional<std::string> changes_text(const Modifications& modifications);

/// Returns the `credit_line` of a credit: the track's own line, what was changed, and whether the license has changed.
std::string credit_line(const CreditEntry& entry);

/// Sorts entries in the order of every format: required, requested, optional, each in collection order (CREDIT-3).
void sort_credits(std::vector<CreditEntry>& entries);

CreditCounts count_credits(std::span<const CreditEntry> entries);
std::uint32_t count_non_commercial(std::span<const CreditEntry> entries);

// The formats. All write entries in the order of `sort_credits`. Formats without headings ignore the heading.

/// Writes headings and a line for each entry, with an empty line between groups. Omits empty groups. Returns an empty
/// text if there are no entries.
std::string credits_text(std::span<const CreditEntry> entries, const CreditsOptions& options = {});

/// Like `credits_text`, with headings of the second level and lists. Escapes untrusted text; only http(s) pages become
/// links.
std::string credits_markdown(std::span<const CreditEntry> entries, const CreditsOptions& options = {});

/// Writes RFC 4180: a row of headers, then a row for each entry, each ending with CRLF. A cell that a spreadsheet would
/// read as a formula is prefixed with `'`.
std::string credits_csv(std::span<const CreditEntry> entries, const CreditsOptions& options = {});

/// Writes an HTML fragment: headings of the second level and lists (CREDIT-16).
std::string credits_html(std::span<const CreditEntry> entries, const CreditsOptions& options = {});

/// Writes text for the description of a video: groups tracks by artist and license, and replaces `<` and `>`. Appends a
/// note if the text is too long (CREDIT-17).
inline constexpr std::size_t kDescriptionMax = 5'000;  // code points
std::string credits_youtube(std::span<const CreditEntry> entries, const CreditsOptions& options = {});

/// Writes a REUSE.toml (REUSE specification 3.3) with an annotation for each entry (CREDIT-18).
std::string credits_reuse(std::span<const CreditEntry> entries, const CreditsOptions& options = {});

/// Writes a YAML list with a mapping for each entry (CREDIT-19).
std::string credits_attributions(std::span<const CreditEntry> entries, const CreditsOptions& options = {});

}  // namespace tonearm
