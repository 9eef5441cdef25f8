#include "cleaning/descriptions.h"

#include <algorithm>
#include <array>

#include "tonearm/ascii.h"

namespace tonearm::builder {
namespace {

/// Top-level domains and file extensions.
constexpr std::array<std::string_view, 28> kNotSentenceStarts{
    "com", "net", "org", "edu", "gov", "info", "js",  "io",   "tv",  "uk",   "fm",  "de",  "fr",  "eu",
    "co",  "nl",  "ca",  "wav", "ogg", "flac", "aif", "aiff", "mid", "midi", "txt", "pdf", "zip", "exe"};
constexpr std::string_view kSpace = " \t\n";

/// Returns the letters from `at` on.
std::string_view letters_from(std::string_view text, std::size_t at) {
  auto end = at;
  while (end < text.size() && ascii::is_letter(text[end])) ++end;
  return text.substr(at, end - at);
}

/// Whether the mark at `at` follows two lower-case letters and precedes the first word of a sentence.
bool is_missing_space(std::string_view text, std::size_t at) {
  if (at < 2 || !ascii::is_lower(text[at - 1]) || !ascii::is_lower(text[at - 2])) return false;
  const auto next = letters_from(text, at + 1);
  if (next.empty() || !ascii::is_upper(next[0])) return false;
  if (!std::all_of(next.begin() + 1, next.end(), ascii::is_lower)) return false;
  if (next.size() == 1 && next != "I" && next != "A") return false;
  const auto after = at + 1 + next.size();
  if (after < text.size() && (text[after] == '.' || ascii::is_digit(text[after]))) return false;
  const auto folded = ascii::to_lower(next);
  return std::find(kNotSentenceStarts.begin(), kNotSentenceStarts.end(), folded) == kNotSentenceStarts.end();
}

/// Whether the text without white space around `at` may be a URL. Examines at most kRadius bytes on each side.
bool is_in_url(std::string_view text, std::size_t at) {
  constexpr std::size_t kRadius = 80;
  const auto first = at - std::min(at, kRadius);
  const auto around = text.substr(first, 2 * kRadius);
  const auto before = around.find_last_of(kSpace, at - first);
  const auto start = before == std::string_view::npos ? 0 : before + 1;
  const auto run = around.substr(start, std::min(around.find_first_of(kSpace, at - first), around.size()) - start);
  return run.find_first_of("/@\\_=") != std::string_view::npos || run.find("www") != std::string_view::npos;
}

}  // namespace

std::string separate_sentences(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    out += c;
    if ((c == '.' || c == '!' || c == '?') && is_missing_space(text, at) && !is_in_url(text, at)) out += ' ';
  }
  return out;
}

}  // namespace tonearm::builder
