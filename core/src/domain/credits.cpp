#include "domain/credits.h"

#include <algorithm>
#include <array>

#include "domain/credit_parts.h"
#include "domain/credits_layout.h"
#include "text/csv.h"
#include "text/percent.h"
#include "text/unicode.h"

namespace tonearm {
namespace {

using std::string_view;

/// The groups in the order of CREDIT-3, with their headings.
struct Group {
  Attribution attribution;
  string_view heading;
};
constexpr std::array<Group, 3> kGroups{{{Attribution::required, "Credit required"},
                                        {Attribution::requested, "Credit requested"},
                                        {Attribution::optional, "No credit needed"}}};

/// Writes headings and lines, with an empty line between groups. `heading` and `line` format one line each.
template <class Heading, class Line>
std::string write_groups(std::span<const CreditEntry> entries, const CreditsOptions& options, const Heading& heading,
                         const Line& line) {
  std::string text;
  for (const CreditGroup& group : credit_groups(entries, options)) {
    text.append(text.empty() ? "" : "\n").append(heading(group.heading));
    for (const CreditEntry* entry : group.entries) text += line(*entry) + '\n';
  }
  const std::string closing = non_commercial_line(entries);
  if (!closing.empty()) text += '\n' + closing + '\n';
  return text;
}

/// Escapes a text for CommonMark, GitHub's Markdown and HTML.
std::string escape_markdown(string_view text) {
  constexpr string_view kSpecial = "\\`*_{}[]()#+-.!|~:=^$@";
  std::string escaped;
  for (const char c : text) {
    const string_view entity = html_entity(c);
    if (kSpecial.find(c) != string_view::npos) escaped += '\\';
    entity.empty() ? escaped.append(1, c) : escaped.append(entity);
  }
  return escaped;
}

/// Writes the destination of a link that renders as `url`. Escapes characters that would end the link or start an
/// entity.
std::string escape_destination(string_view url) {
  constexpr string_view kLinkDelimiters = "()[]";
  std::string escaped;
  for (const char c : encoded_url(url)) {
    if (kLinkDelimiters.find(c) != string_view::npos) escaped += '\\';
    c == '&' ? escaped.append(html_entity(c)) : escaped.append(1, c);
  }
  return escaped;
}

std::string markdown_line(const CreditEntry& entry) {
  const CreditParts parts = credit_parts(credit_of(entry));
  const bool links = is_web_page(parts.source_page);
  std::string line;
  if (links) line += '[';
  if (parts.title.empty()) {
    line += kUntitledWork;
  } else {
    line.append(1, '"').append(escape_markdown(parts.title)).append(1, '"');
  }
  if (links) line.append("](").append(escape_destination(parts.source_page)).append(1, ')');
  if (!parts.artist.empty()) line += " by " + escape_markdown(parts.artist);
  if (!links && !parts.source_page.empty()) line += " (" + escape_markdown(parts.source_page) + ')';
  line += parts.grant;
  if (parts.is_licensed()) {
    line.append("[").append(parts.license.name).append("](").append(parts.license.url).append(").");
  }
  return line + line_suffix(entry, escape_markdown);
}

// CREDIT-9.
constexpr string_view kHeaderRow =
    "position,track_id,title,artist,source_page,license_id,license_name,license_url,license_status,license_changed,"
    "attribution,changes,credit_line,note\r\n";
constexpr std::size_t kColumnCount = 14;
using Row = std::array<std::string, kColumnCount>;

Row row_of(const CreditEntry& entry) {
  const License& terms = license(entry.license);
  return {std::to_string(entry.position),
          entry.track_id,
          entry.title,
          entry.artist,
          entry.source_page,
          std::string(terms.name_id),
          std::string(terms.name),
          std::string(terms.url),
          std::string(to_string(entry.license_status)),
          entry.license_changed ? "true" : "false",
          std::string(to_string(entry.attribution)),
          changes_text(entry.modifications).value_or(""),
          credit_line(entry),
          entry.note};
}

}  // namespace

std::vector<const CreditEntry*> in_credit_order(std::span<const CreditEntry> entries) {
  std::vector<const CreditEntry*> order;
  order.reserve(entries.size());
  for (const CreditEntry& entry : entries) order.push_back(&entry);
  std::stable_sort(order.begin(), order.end(), [](const CreditEntry* a, const CreditEntry* b) {
    // `required` is the highest of Attribution.
    return a->attribution != b->attribution ? a->attribution > b->attribution : a->position < b->position;
  });
  return order;
}

std::vector<CreditGroup> credit_groups(std::span<const CreditEntry> entries, const CreditsOptions& options) {
  const std::vector<const CreditEntry*> order = in_credit_order(entries);
  std::vector<CreditGroup> groups;
  for (const Group& group : kGroups) {
    CreditGroup found{std::string(group.heading), {}};
    for (const CreditEntry* entry : order) {
      if (entry->attribution == group.attribution) found.entries.push_back(entry);
    }
    if (found.entries.empty()) continue;
    if (groups.empty() && !options.heading.empty()) found.heading = text::one_line(options.heading);
    groups.push_back(std::move(found));
  }
  return groups;
}

std::string non_commercial_line(std::span<const CreditEntry> entries) {
  const std::uint32_t count = count_non_commercial(entries);
  if (count == 0) return {};
  return std::to_string(count) + (count == 1 ? " of these tracks is for non-commercial use only."
                                             : " of these tracks are for non-commercial use only.");
}

string_view html_entity(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    default:
      return {};
  }
}

std::string encoded_url(string_view url) {
  constexpr string_view kInvalidInUrl = " \"<>\\^`{|}";
  std::string encoded;
  for (const char c : url) {
    if (kInvalidInUrl.find(c) == string_view::npos) {
      encoded += c;
    } else {
      text::append_percent_encoded(encoded, c);
    }
  }
  return encoded;
}

bool is_web_page(string_view url) {
  const std::string folded = text::fold_case(url.substr(0, url.find(':') + 1));
  return (folded == "http:" || folded == "https:") && url.substr(folded.size()).starts_with("//");
}

std::optional<std::string> changes_text(const Modifications& modifications) {
  std::string changes;
  for (std::size_t i = 0; i < kChipNames.size(); ++i) {
    if (!modifications.chips[i]) continue;
    if (!changes.empty()) changes += ", ";
    changes += kChipNames[i];
  }
  std::string text = text::one_line(modifications.text);
  if (text.ends_with('.')) text = text::one_line(string_view(text).substr(0, text.size() - 1));
  if (!changes.empty() && !text.empty()) changes += "; ";
  changes += text;
  if (changes.empty()) return std::nullopt;
  return changes;
}

std::string credit_line(const CreditEntry& entry) {
  return credit_line(credit_of(entry)) + line_suffix(entry, [](const std::string& text) { return text; });
}

void sort_credits(std::vector<CreditEntry>& entries) {
  std::vector<CreditEntry> sorted;
  sorted.reserve(entries.size());
  for (const CreditEntry* entry : in_credit_order(entries)) sorted.push_back(*entry);
  entries = std::move(sorted);
}

CreditCounts count_credits(std::span<const CreditEntry> entries) {
  const auto count = [&](Attribution attribution) {
    return static_cast<std::uint32_t>(std::count_if(
        entries.begin(), entries.end(), [&](const CreditEntry& entry) { return entry.attribution == attribution; }));
  };
  return {count(Attribution::required), count(Attribution::requested), count(Attribution::optional)};
}

std::uint32_t count_non_commercial(std::span<const CreditEntry> entries) {
  return static_cast<std::uint32_t>(
      std::count_if(entries.begin(), entries.end(), [](const CreditEntry& entry) { return entry.non_commercial; }));
}

CreditEntry credit_entry(const LicenseRecord& record) {
  CreditEntry entry;
  entry.title = record.title;
  entry.artist = record.artist;
  entry.credit_as = record.credit_as;
  entry.source_page = record.source_page;
  entry.license = find_license(record.terms.license_id).value_or(LicenseId::unknown);
  entry.license_status = record.license_status;
  entry.attribution = record.terms.attribution;
  entry.recorded_s = record.recorded_s;
  entry.non_commercial = !record.terms.commercial;
  return entry;
}

std::string credits_text(std::span<const CreditEntry> entries, const CreditsOptions& options) {
  return write_groups(
      entries, options, [](string_view heading) { return std::string(heading) + '\n'; },
      [](const CreditEntry& entry) { return credit_line(entry); });
}

std::string credits_markdown(std::span<const CreditEntry> entries, const CreditsOptions& options) {
  return write_groups(
      entries, options, [](string_view heading) { return "## " + escape_markdown(heading) + "\n\n"; },
      [](const CreditEntry& entry) { return "- " + markdown_line(entry); });
}

std::string credits_csv(std::span<const CreditEntry> entries, const CreditsOptions& /*options*/) {
  std::string csv(kHeaderRow);
  for (const CreditEntry* entry : in_credit_order(entries)) text::append_csv_row(csv, row_of(*entry));
  return csv;
}

}  // namespace tonearm
