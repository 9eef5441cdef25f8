#include "cleaning/descriptions.h"

#include <algorithm>
#include <array>

#include "tonearm/ascii.h"

namespace tonearm::builder {
namespace {

/// Domains, and endings of files.
constexpr std::array<std::string_view, 28> kNotSentences{
    "com", "net", "org", "edu", "gov", "info", "js",  "io",   "tv",  "uk",   "fm",  "de",  "fr",  "eu",
    "co",  "nl",  "ca",  "wav", "ogg", "flac", "aif", "aiff", "mid", "midi", "txt", "pdf", "zip", "exe"};
constexpr std::string_view kSpace = " \t\n";

/// The run of letters that begins there.
std::string_view letters_from(std::string_view text, std::size_t at) {
  auto end = at;
  while (end < text.size() && ascii::is_letter(text[end])) ++end;
  return text.substr(at, end - at);
}

/// Whether at `at` stands a mark with two lower-case letters before it and a sentence's first word behind it.
bool is_glued(std::string_view text, std::size_t at) {
  if (at < 2 || !ascii::is_lower(text[at - 1]) || !ascii::is_lower(text[at - 2])) return false;
  const auto next = letters_from(text, at + 1);
  if (next.empty() || !ascii::is_upper(next[0])) return false;
  if (!std::all_of(next.begin() + 1, next.end(), ascii::is_lower)) return false;
  if (next.size() == 1 && next != "I" && next != "A") return false;
  const auto behind = at + 1 + next.size();
  if (behind < text.size() && (text[behind] == '.' || ascii::is_digit(text[behind]))) return false;
  const auto folded = ascii::to_lower(next);
  return std::find(kNotSentences.begin(), kNotSentences.end(), folded) == kNotSentences.end();
}

/// Whether the run without white space around `at` may be an address. Only so much of it is looked at.
bool is_in_address(std::string_view text, std::size_t at) {
  constexpr std::size_t kLooked = 80;
  const auto first = at - std::min(at, kLooked);
  const auto around = text.substr(first, 2 * kLooked);
  const auto before = around.find_last_of(kSpace, at - first);
  const auto start = before == std::string_view::npos ? 0 : before + 1;
  const auto run = around.substr(start, std::min(around.find_first_of(kSpace, at - first), around.size()) - start);
  return run.find_first_of("/@\\_=") != std::string_view::npos || run.find("www") != std::string_view::npos;
}

}  // namespace

std::string mend_sentences(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    out += c;
    if ((c == '.' || c == '!' || c == '?') && is_glued(text, at) && !is_in_address(text, at)) out += ' ';
  }
  return out;
}

}  // namespace tonearm::builder
