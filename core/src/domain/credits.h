#pragma once
// The credits of a collection (CREDIT-3 to CREDIT-15, LICENSE-3): the line of each entry, and all of them in each
// format. Entries come from license records, because those say what a work was taken under (CREDIT-2). Pure
// and thread-safe. All strings are UTF-8; titles, artists, source pages, texts and notes are data that is trusted in
// nothing.

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

/// What its record says of an entry; the rest is as of a track that is in no collection.
CreditEntry credit_entry(const LicenseRecord& record);

/// What a request may say of the form.
struct CreditsOptions {
  std::string_view heading;  // instead of the first one; empty: ours
};

struct CreditCounts {
  std::uint32_t required = 0;
  std::uint32_t requested = 0;
  std::uint32_t optional = 0;

  friend bool operator==(const CreditCounts&, const CreditCounts&) = default;
};

/// The `changes` of a credit: chips in the specification's order, each once, then `; ` and the text as one line without
/// one final full stop. Nothing where neither is left.
std::optional<std::string> changes_text(const Modifications& modifications);

/// The `credit_line` of a credit: the track's own line, what was changed, and that the license is another one by now.
std::string credit_line(const CreditEntry& entry);

/// Puts entries into the order of every format: required, requested, optional, each in collection order (CREDIT-3).
void sort_credits(std::vector<CreditEntry>& entries);

CreditCounts count_credits(std::span<const CreditEntry> entries);
std::uint32_t count_non_commercial(std::span<const CreditEntry> entries);

// The body of each format, in the order of `sort_credits` whatever the order given. Formats without headings take none.

/// Headings and a line for each entry, groups parted by an empty line; groups without entries are left out. Without any
/// entry it is empty.
std::string credits_text(std::span<const CreditEntry> entries, const CreditsOptions& options = {});

/// As `credits_text`, with headings of the second level and lists. All that is not ours is escaped; only http(s) pages
/// become links.
std::string credits_markdown(std::span<const CreditEntry> entries, const CreditsOptions& options = {});

/// RFC 4180: a row of headers, then a row for each entry, each ending with CRLF. A cell that a spreadsheet would take
/// for a formula gets a `'` before it.
std::string credits_csv(std::span<const CreditEntry> entries, const CreditsOptions& options = {});

/// A fragment for a page: headings of the second level and lists, escaped as in Markdown (CREDIT-16).
std::string credits_html(std::span<const CreditEntry> entries, const CreditsOptions& options = {});

/// For the description of a video: as text, but tracks of one artist and license together, without `<` and `>`. Where
/// it is too long it says so (CREDIT-17).
inline constexpr std::size_t kDescriptionMax = 5'000;  // code points
std::string credits_youtube(std::span<const CreditEntry> entries, const CreditsOptions& options = {});

/// A REUSE.toml (REUSE specification 3.3), with an annotation for each entry (CREDIT-18).
std::string credits_reuse(std::span<const CreditEntry> entries, const CreditsOptions& options = {});

/// A YAML list with a mapping for each entry (CREDIT-19).
std::string credits_attributions(std::span<const CreditEntry> entries, const CreditsOptions& options = {});

}  // namespace tonearm
