// Credits as HTML and as the description of a video.

#include <algorithm>
#include <string_view>
#include <utility>

#include "domain/credit_parts.h"
#include "domain/credits.h"
#include "domain/credits_layout.h"
#include "text/unicode.h"

namespace tonearm {
namespace {

// ---- HTML (CREDIT-16)

/// Escapes a text for elements and for quoted attributes.
std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const std::string_view entity = c == '\'' ? "&#39;" : html_entity(c);
    entity.empty() ? escaped.append(1, c) : escaped.append(entity);
  }
  return escaped;
}

std::string html_link(std::string_view url, const std::string& content) {
  return "<a href=\"" + escape_html(encoded_url(url)) + "\">" + content + "</a>";
}

std::string html_line(const CreditEntry& entry) {
  const CreditParts parts = credit_parts(credit_of(entry));
  const bool links = is_web_page(parts.source_page);
  const std::string work =
      parts.title.empty() ? std::string(kUntitledWork) : "&quot;" + escape_html(parts.title) + "&quot;";
  std::string line = links ? html_link(parts.source_page, work) : work;
  if (!parts.artist.empty()) line += " by " + escape_html(parts.artist);
  if (!links && !parts.source_page.empty()) line += " (" + escape_html(parts.source_page) + ')';
  line += parts.grant;
  if (parts.is_licensed()) line += html_link(parts.license.url, std::string(parts.license.name)) + '.';
  return line + line_suffix(entry, escape_html);
}

// ---- The description of a video (CREDIT-17)

/// The entries of one artist under one license.
struct ArtistGroup {
  std::string artist;
  LicenseId license = LicenseId::cc0;
  std::vector<const CreditEntry*> entries;
};

std::vector<ArtistGroup> artist_groups(const CreditGroup& credits) {
  std::vector<ArtistGroup> groups;
  for (const CreditEntry* entry : credits.entries) {
    const std::string artist = text::one_line(credited_name(entry->artist, entry->credit_as));
    auto found = std::find_if(groups.begin(), groups.end(), [&](const ArtistGroup& group) {
      return group.artist == artist && group.license == entry->license;
    });
    if (found == groups.end()) found = groups.insert(found, ArtistGroup{artist, entry->license, {}});
    found->entries.push_back(entry);
  }
  return groups;
}

std::string artist_heading(const ArtistGroup& group) {
  const License& terms = license(group.license);
  const bool is_known = group.license != LicenseId::unknown;
  std::string grant = "without a known license";
  if (is_known) {
    grant = group.license == LicenseId::cc0 ? "marked with " : "licensed under ";
    grant.append(terms.name).append(" (").append(terms.url).append(1, ')');
  }
  if (!group.artist.empty()) return "By " + group.artist + ", " + grant + ':';
  grant.front() = static_cast<char>(grant.front() - 'a' + 'A');
  return grant + ':';
}

std::string description_line(const CreditEntry& entry) {
  const CreditParts parts = credit_parts(credit_of(entry));
  std::string line = parts.title.empty() ? std::string(kUntitledWork) : '"' + parts.title + '"';
  if (!parts.source_page.empty()) line += " (" + parts.source_page + ')';
  const std::string suffix = line_suffix(entry, [](const std::string& text) { return text; });
  return suffix.empty() ? line : line + '.' + suffix;
}

/// Replaces angle brackets, because YouTube rejects descriptions that contain them.
std::string without_angle_brackets(std::string_view text) {
  std::string kept;
  for (const char c : text) {
    if (c == '<') {
      kept += "\u2039";
    } else if (c == '>') {
      kept += "\u203a";
    } else {
      kept += c;
    }
  }
  return kept;
}

std::string with_thousands(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

}  // namespace

std::string credits_html(std::span<const CreditEntry> entries, const CreditsOptions& options) {
  std::string html;
  for (const CreditGroup& group : credit_groups(entries, options)) {
    html += "<h2>" + escape_html(group.heading) + "</h2>\n<ul>\n";
    for (const CreditEntry* entry : group.entries) html += "<li>" + html_line(*entry) + "</li>\n";
    html += "</ul>\n";
  }
  const std::string closing = non_commercial_line(entries);
  if (!closing.empty()) html += "<p>" + closing + "</p>\n";
  return html;
}

std::string credits_youtube(std::span<const CreditEntry> entries, const CreditsOptions& options) {
  std::string text;
  for (const CreditGroup& group : credit_groups(entries, options)) {
    text.append(text.empty() ? "" : "\n").append(group.heading).append(1, '\n');
    for (const ArtistGroup& artist : artist_groups(group)) {
      text += '\n' + artist_heading(artist) + '\n';
      for (const CreditEntry* entry : artist.entries) text += description_line(*entry) + '\n';
    }
  }
  const std::string closing = non_commercial_line(entries);
  if (!closing.empty()) text += '\n' + closing + '\n';
  text = without_angle_brackets(text);
  const std::size_t length = text::code_points(text);
  if (length <= kDescriptionMax) return text;
  return text + "\nThe text above has " + with_thousands(length) +
         " characters: " + with_thousands(length - kDescriptionMax) + " more than the " +
         with_thousands(kDescriptionMax) + " of a description.\n";
}

}  // namespace tonearm
