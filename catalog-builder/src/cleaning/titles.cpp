#include "cleaning/titles.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "domain/variants.h"
#include "text/unicode.h"
#include "tonearm/ascii.h"

namespace tonearm::builder {
namespace {

constexpr std::array<std::string_view, 12> kExtensions{"wav", "mp3",  "ogg",  "oga", "opus", "flac",
                                                       "aif", "aiff", "aifc", "m4a", "wma",  "caf"};
constexpr std::size_t kHyphensOfSlug = 2;
constexpr std::size_t kCamelPartMin = 3;
constexpr std::size_t kDigitsMax = 3;
constexpr std::string_view kBeforeNumber = " -#.:([";

bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool has_letter_or_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return ascii::is_alphanumeric(c) || is_beyond_ascii(c); });
}

/// Removes the extension of "Rain.wav" and "Rain (take 2.wav)", and both of "Rain.wav.mp3".
std::string without_extension(std::string_view title) {
  std::string text(title);
  for (int round = 0; round < 2; ++round) {
    const std::string tail = text.ends_with(')') ? ")" : "";
    const auto body = std::string_view(text).substr(0, text.size() - tail.size());
    const auto dot = body.rfind('.');
    if (dot == std::string_view::npos) break;
    const auto ending = ascii::to_lower(body.substr(dot + 1));
    const auto before = body.substr(0, dot);
    if (std::find(kExtensions.begin(), kExtensions.end(), ending) == kExtensions.end() || !has_letter_or_digit(before))
      break;
    text = std::string(before) + tail;
  }
  return text;
}

/// Whether it is a slug ("heavy-rain-loop"); dates ("2021-05-12") are not.
bool is_slug(std::string_view text) {
  const auto is_of_slug = [](char c) { return ascii::is_lower(c) || ascii::is_digit(c) || c == '-'; };
  return std::all_of(text.begin(), text.end(), is_of_slug) && std::any_of(text.begin(), text.end(), ascii::is_lower) &&
         static_cast<std::size_t>(std::count(text.begin(), text.end(), '-')) >= kHyphensOfSlug;
}

/// Splits "HeavyRainLoop01" into words if every part has three letters or more.
std::string split_camel_case(const std::string& text) {
  std::string out;
  std::size_t part = 0;
  std::size_t shortest = text.size();
  std::size_t breaks = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!ascii::is_alphanumeric(text[i])) return text;
    if (i > 0 && ascii::is_upper(text[i]) && ascii::is_lower(text[i - 1])) {
      shortest = std::min(shortest, part);
      part = 0;
      ++breaks;
      out += ' ';
    } else if (i > 0 && ascii::is_upper(text[i])) {
      return text;  // an abbreviation
    }
    part += ascii::is_letter(text[i]) ? 1U : 0U;
    out += text[i];
  }
  return breaks > 0 && std::min(shortest, part) >= kCamelPartMin ? out : text;
}

/// Replaces underscores between words by spaces. Emoticons keep theirs: "^_^", "o_O".
std::string replace_underscores(std::string text) {
  const auto is_of_word = [](char c) { return ascii::is_alphanumeric(c) || is_beyond_ascii(c); };
  std::size_t longest = 0;
  std::size_t part = 0;
  for (const char c : text) {
    part = is_of_word(c) ? part + 1 : 0;
    longest = std::max(longest, part);
  }
  if (longest < 2) return text;
  for (auto start = text.find('_'); start != std::string::npos; start = text.find('_', start)) {
    const auto end = std::min(text.find_first_not_of('_', start), text.size());
    const bool has_neighbor = (start > 0 && (is_of_word(text[start - 1]) || text[start - 1] == ' ')) ||
                              (end < text.size() && (is_of_word(text[end]) || text[end] == ' '));
    if (has_neighbor)
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(start), text.begin() + static_cast<std::ptrdiff_t>(end),
                ' ');
    start = end;
  }
  return text;
}

/// Collapses spaces, and removes spaces and hyphens at both ends.
std::string trimmed_title(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ' && (out.empty() || out.back() == ' ')) continue;
    out += c;
  }
  const auto first = out.find_first_not_of(" -");
  const auto last = out.find_last_not_of(" -");
  return first == std::string::npos ? std::string() : out.substr(first, last - first + 1);
}

/// Returns the offset of the running number and its separator; the size of the title if there is none.
std::size_t number_start(std::string_view title) {
  auto end = title.find_last_not_of(" )]");
  end = end == std::string_view::npos ? 0 : end + 1;
  auto start = end;
  while (start > 0 && end - start < kDigitsMax && ascii::is_digit(title[start - 1])) --start;
  if (end - start < 2 || title[start] != '0') return title.size();
  const auto stem = title.substr(0, start).find_last_not_of(kBeforeNumber);
  return stem == std::string_view::npos || stem + 1 == start ? title.size() : stem + 1;
}

std::string name_key(const Track& track, std::string_view stem) {
  return text::fold_case(track.artist) + '\n' + std::string(stem);
}

/// Returns the artist and the name without its number; nothing if the track has no number that may be redundant.
std::optional<std::string> numbered_name(const Track& track) {
  if (track.kind != Kind::sfx) return std::nullopt;
  const auto& title = title_to_match(track);
  const auto numbered = numbered_title(track.kind, title);
  if (!numbered || number_start(title) == title.size() || !has_letter_or_digit(numbered->stem)) return std::nullopt;
  return name_key(track, numbered->stem);
}

}  // namespace

CleanedTitle clean_title(Kind kind, std::string_view title) {
  CleanedTitle result;
  result.text = without_extension(title);
  result.had_extension = result.text != title;
  auto text = replace_underscores(result.text);
  if (kind == Kind::sfx && is_slug(text)) std::replace(text.begin(), text.end(), '-', ' ');
  if (kind == Kind::sfx) text = split_camel_case(text);
  result.was_file_name = text != result.text;
  if (!result.had_extension && !result.was_file_name) return result;
  text = trimmed_title(text);
  if (!has_letter_or_digit(text)) return {std::string(title)};
  result.text = std::move(text);
  return result;
}

void RunningNumbers::add_candidate(const Track& track) {
  if (auto name = numbered_name(track)) tracks_of_name_.emplace(std::move(*name), 0);
}

void RunningNumbers::count(const Track& track) {
  const auto& title = title_to_match(track);
  const auto numbered = numbered_title(track.kind, title);
  const auto found = tracks_of_name_.find(name_key(track, numbered ? numbered->stem : text::fold_case(title)));
  if (found != tracks_of_name_.end()) ++found->second;
}

bool RunningNumbers::is_redundant(const Track& track) const {
  if (tracks_of_name_.empty()) return false;
  const auto name = numbered_name(track);
  if (!name) return false;
  const auto found = tracks_of_name_.find(*name);
  return found != tracks_of_name_.end() && found->second == 1;
}

std::string without_number(std::string_view title) { return std::string(title.substr(0, number_start(title))); }

}  // namespace tonearm::builder
