// Credits for programs that check licenses: REUSE.toml, and a YAML list.

#include <string_view>

#include "domain/credits.h"
#include "domain/credits_layout.h"
#include "text/unicode.h"

namespace tonearm {
namespace {

/// Writes a quoted string for TOML and YAML 1.2, as one line without control characters. Escapes backslashes, quotes
/// and characters that YAML does not allow.
std::string quoted(std::string_view data) {
  constexpr char32_t kByteOrderMark = 0xfeff;
  constexpr char32_t kLastUnescaped = 0xfffd;
  constexpr char32_t kFirstSupplementary = 0x10000;
  constexpr std::string_view kHex = "0123456789ABCDEF";
  const std::string line = text::one_line(data);
  std::string escaped = "\"";
  for (std::size_t at = 0; at < line.size();) {
    const char32_t c = text::next_code_point(line, at);
    if (c == '"' || c == '\\') {
      escaped.append(1, '\\').append(1, static_cast<char>(c));
    } else if (c == kByteOrderMark || (c > kLastUnescaped && c < kFirstSupplementary)) {
      escaped += "\\u";
      for (int shift = 12; shift >= 0; shift -= 4) escaped += kHex[(c >> static_cast<unsigned>(shift)) & 0xfU];
    } else {
      text::append_utf8(escaped, c);
    }
  }
  return escaped + '"';
}

/// Like `quoted`, but `null` for an empty text.
std::string quoted_or_null(std::string_view data) {
  std::string value = quoted(data);
  return value.size() == 2 ? "null" : value;
}

/// Returns a path pattern of REUSE.toml that matches every file whose name without extension ends with the id. A
/// backslash escapes the next character.
std::string path_pattern(std::string_view track_id) {
  std::string path = "**";
  for (const char c : track_id) {
    if (c == '*' || c == '\\') path += '\\';
    path += c;
  }
  return path + ".*";
}

std::string_view spdx_of(const CreditEntry& entry) { return license(entry.license).spdx; }

}  // namespace

std::string credits_reuse(std::span<const CreditEntry> entries, const CreditsOptions& /*options*/) {
  std::string toml =
      "version = 1\n\n"
      "# A track is found by its id before the extension of its file, as in rain-example-1042.mp3.\n"
      "# Where a file has another name, change its path.\n";
  for (const CreditEntry* entry : in_credit_order(entries)) {
    // Without a name the holder of the rights is unknown.
    const std::string holder = text::one_line(credited_name(entry->artist, entry->credit_as));
    toml += "\n[[annotations]]\n# " + credit_line(*entry) + '\n';
    toml += "path = " + quoted(path_pattern(entry->track_id)) + '\n';
    toml += "SPDX-FileCopyrightText = " + quoted(holder.empty() ? "NOASSERTION" : holder) + '\n';
    toml += "SPDX-License-Identifier = " + quoted(spdx_of(*entry)) + '\n';
  }
  const std::string closing = non_commercial_line(entries);
  if (!closing.empty()) toml += "\n# " + closing + '\n';
  return toml;
}

std::string credits_attributions(std::span<const CreditEntry> entries, const CreditsOptions& /*options*/) {
  if (entries.empty()) return "[]\n";
  std::string yaml;
  for (const CreditEntry* entry : in_credit_order(entries)) {
    const License& terms = license(entry->license);
    yaml += "- track_id: " + quoted(entry->track_id) + '\n';
    yaml += "  title: " + quoted_or_null(entry->title) + '\n';
    yaml += "  artist: " + quoted_or_null(entry->artist) + '\n';
    yaml += "  source_page: " + quoted_or_null(entry->source_page) + '\n';
    yaml += "  license: " + quoted(terms.spdx) + '\n';
    yaml += "  license_name: " + quoted(terms.name) + '\n';
    yaml += "  license_url: " + quoted_or_null(terms.url) + '\n';
    yaml += "  attribution: " + quoted(to_string(entry->attribution)) + '\n';
    yaml += "  changes: " + quoted_or_null(changes_text(entry->modifications).value_or("")) + '\n';
    yaml.append("  license_changed: ").append(entry->license_changed ? "true" : "false").append(1, '\n');
    yaml += "  credit_line: " + quoted(credit_line(*entry)) + '\n';
  }
  const std::string closing = non_commercial_line(entries);
  if (!closing.empty()) yaml += "# " + closing + '\n';
  return yaml;
}

}  // namespace tonearm
