#include "domain/file_names.h"

#include <algorithm>
#include <array>
#include <span>

#include "text/percent.h"
#include "text/unicode.h"
#include "text/visible.h"
#include "text/web_address.h"
#include "tonearm/ascii.h"

namespace tonearm {
namespace {

using std::string_view;

constexpr std::size_t kIdBytesMax = 64;
constexpr std::size_t kNumberDigitsMax = 15;
constexpr std::size_t kTrackNumberDigitsMax = 3;
constexpr int kSuffixesMax = 8;  // that are removed from a name
constexpr std::size_t kExtensionBytesMax = 4;
constexpr std::ptrdiff_t kSegmentsMax = 16;  // of an address that a source or a catalog makes

constexpr std::array<string_view, 18> kExtensions{"mp3",  "wav", "ogg", "oga",  "flac", "m4a", "aac", "aif",  "aiff",
                                                  "opus", "wma", "mp4", "webm", "mka",  "caf", "wv",  "aifc", "mid"};
/// Words that players and shops append to names.
constexpr std::array<string_view, 9> kSuffixWords{"copy", "hq", "lq", "mp3", "wav", "flac", "ogg", "stereo", "mono"};
constexpr std::array<string_view, 4> kSuffixUnits{"kbps", "khz", "bit", "k"};

bool is_one_of(string_view word, std::span<const string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Returns the text after the last dot if it is the extension of an audio file.
string_view extension_of(string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == string_view::npos || dot == 0) return {};
  const string_view extension = name.substr(dot + 1);
  if (extension.size() > kExtensionBytesMax) return {};
  return is_one_of(ascii::to_lower(extension), kExtensions) ? extension : string_view{};
}

/// Returns the name without its folder, percent-decoded.
std::string base_name(string_view name) {
  name = name.substr(name.find_last_of("/\\") + 1);
  if (name.find('%') == string_view::npos) return std::string(text::trimmed(name));
  return std::string(text::trimmed(text::decode_percent(name).value_or(std::string(name))));
}

std::size_t digits_from(string_view text, std::size_t at) {
  const auto begin = text.begin() + static_cast<std::ptrdiff_t>(at);
  return static_cast<std::size_t>(std::find_if_not(begin, text.end(), ascii::is_digit) - begin);
}

// ---- Ids

bool is_id_character(char c) { return ascii::is_alphanumeric(c) || c == '_' || c == '.' || c == '-'; }

/// Characters that end a word in every script: no-break space, dashes, ideographic space.
constexpr std::array<string_view, 8> kSeparators{"\u00a0", "\u2010", "\u2011", "\u2012",
                                                 "\u2013", "\u2014", "\u2015", "\u3000"};

bool is_word_character_before(string_view name, std::size_t at) {
  if (at == 0) return false;
  if (static_cast<unsigned char>(name[at - 1]) < 0x80) return ascii::is_alphanumeric(name[at - 1]);
  const string_view before = name.substr(0, at);
  return std::none_of(kSeparators.begin(), kSeparators.end(), [&](string_view mark) { return before.ends_with(mark); });
}

bool is_word_character_at(string_view name, std::size_t at) {
  if (at == name.size()) return false;
  if (static_cast<unsigned char>(name[at]) < 0x80) return ascii::is_alphanumeric(name[at]);
  const string_view after = name.substr(at);
  return std::none_of(kSeparators.begin(), kSeparators.end(),
                      [&](string_view mark) { return after.starts_with(mark); });
}

/// Returns the ids from one of the word beginnings between `first` and `last` to `end` (LINE-3), longest first. If
/// there are too many, returns the longest and the shortest.
std::vector<std::string> ids_between(string_view name, std::size_t first, std::size_t last, std::size_t end) {
  std::vector<std::size_t> begins;
  for (std::size_t at = first; at <= last; ++at) {
    if (ascii::is_alphanumeric(name[at]) && !is_word_character_before(name, at)) begins.push_back(at);
  }
  if (begins.size() > kIdsPerEndMax) begins.erase(begins.begin() + 1, begins.end() - (kIdsPerEndMax - 1));
  std::vector<std::string> ids;
  ids.reserve(begins.size());
  for (const std::size_t begin : begins) ids.emplace_back(name.substr(begin, end - begin));
  return ids;
}

/// Finds the ids in one pass, so that a name of many dashes costs no more than another one. A prefix without letters is
/// part of a date, not of an id.
std::vector<std::vector<std::string>> ids_in(string_view name) {
  constexpr std::size_t kNone = string_view::npos;
  std::vector<std::vector<std::string>> id_groups;
  std::size_t run = 0;           // where the characters of ids before `at` begin
  std::size_t word = kNone;      // the last beginning of a word among them
  std::size_t lettered = kNone;  // the last one before a letter
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (!is_id_character(name[at])) {
      run = at + 1;
      word = lettered = kNone;
      continue;
    }
    if (ascii::is_alphanumeric(name[at])) {
      if (!is_word_character_before(name, at)) word = at;
      if (ascii::is_letter(name[at])) lettered = word;
    }
    if (name[at] != '-' || lettered == kNone) continue;
    const std::size_t end = at + 1 + digits_from(name, at + 1);
    const std::size_t first = std::max(run, end - std::min(end, kIdBytesMax));
    if (end == at + 1 || lettered < first || is_word_character_at(name, end)) continue;
    // With more ends than are read, the right id may be among the unread ones.
    if (id_groups.size() == kIdEndsMax) return {};
    id_groups.push_back(ids_between(name, first, lettered, end));
  }
  return id_groups;
}

// ---- Numbers of sources

SourceNumber freesound(string_view number) { return {"freesound-" + std::string(number), "freesound.org", {}, {}}; }

/// Reads `{number}__{user}__{name}`, Freesound's names of downloads, and `{number}_{user's number}-hq`, its names of
/// previews.
std::optional<SourceNumber> number_in_name(string_view stem) {
  const std::size_t digits = digits_from(stem, 0);
  if (digits == 0 || digits > kNumberDigitsMax) return std::nullopt;
  SourceNumber found = freesound(stem.substr(0, digits));
  string_view rest = stem.substr(digits);
  if (rest.starts_with("__")) {
    rest.remove_prefix(2);
    const std::size_t between = rest.find("__");
    if (between == string_view::npos || between == 0) return std::nullopt;
    found.artist = rest.substr(0, between);
    found.title = rest.substr(between + 2);
    return found;
  }
  if (!rest.starts_with('_')) return std::nullopt;
  const std::size_t user_digits = digits_from(rest, 1);
  const string_view suffix = rest.substr(1 + user_digits);
  if (user_digits == 0 || (suffix != "-hq" && suffix != "-lq")) return std::nullopt;
  return found;
}

bool is_number(string_view text) { return ascii::is_digits(text) && text.size() <= kNumberDigitsMax; }

/// Returns the number in the segment after the segment `name`.
string_view number_after(std::span<const string_view> segments, string_view name) {
  for (std::size_t i = 0; i + 1 < segments.size(); ++i) {
    if (segments[i] == name && is_number(segments[i + 1])) return segments[i + 1];
  }
  return {};
}

// ---- Names

bool is_suffix_word(string_view word) {
  constexpr std::size_t kBytesMax = 7;  // "320kbps"
  if (word.size() > kBytesMax) return false;
  const std::string lower = ascii::to_lower(word);
  if (is_one_of(lower, kSuffixWords)) return true;
  const std::size_t digits = digits_from(lower, 0);
  return digits >= 2 && digits <= 3 && is_one_of(string_view(lower).substr(digits), kSuffixUnits);
}

/// `(2)`, `[320kbps]`, `(copy)`
bool is_bracketed_suffix(string_view inside) {
  inside = text::trimmed(inside);
  return (ascii::is_digits(inside) && inside.size() <= kTrackNumberDigitsMax) || is_suffix_word(inside);
}

/// Returns the text before its last suffix; empty if it has none.
string_view before_suffix(string_view text) {
  if (text.ends_with(')') || text.ends_with(']')) {
    const std::size_t open = text.rfind(text.back() == ')' ? '(' : '[');
    if (open == string_view::npos) return {};
    return is_bracketed_suffix(text.substr(open + 1, text.size() - open - 2)) ? text.substr(0, open) : string_view{};
  }
  constexpr string_view kMarks = " -_";
  const std::size_t mark = text.find_last_of(kMarks);
  if (mark == string_view::npos || !is_suffix_word(text.substr(mark + 1))) return {};
  return text.substr(0, text.find_last_not_of(kMarks, mark) + 1);
}

string_view without_suffixes(string_view text) {
  text = text::trimmed(text);
  for (int removed = 0; removed < kSuffixesMax; ++removed) {
    const string_view before = text::trimmed(before_suffix(text));
    if (before.empty()) break;
    text = before;
  }
  return text;
}

/// Replaces double underscores by ` - `, other underscores by spaces, and long dashes by short ones.
std::string with_plain_separators(string_view stem) {
  std::string plain;
  plain.reserve(stem.size() + stem.size() / 2);
  for (std::size_t i = 0; i < stem.size();) {
    const string_view rest = stem.substr(i);
    if (rest.starts_with("__")) {
      plain += " - ";
      i += 2;
    } else if (rest.starts_with("\u2013") || rest.starts_with("\u2014")) {
      plain += '-';
      i += 3;
    } else {
      plain += stem[i] == '_' ? ' ' : stem[i];
      ++i;
    }
  }
  return plain;
}

/// Splits a name at ` - `, without empty parts and numbers. The parts refer to the name.
std::vector<string_view> split_name(string_view plain) {
  std::vector<string_view> parts;
  for (std::size_t begin = 0; begin <= plain.size();) {
    const std::size_t end = std::min(plain.find(" - ", begin), plain.size());
    const string_view part = text::trimmed(plain.substr(begin, end - begin));
    if (!part.empty() && !ascii::is_digits(part)) parts.push_back(part);
    begin = end + 3;
  }
  return parts;
}

/// A track number at the start of a name. `size`: its length with separators; 0: there is none.
struct TrackNumber {
  std::size_t size = 0;
  bool is_certain = false;  // not part of a title: it has a leading zero or is followed by a punctuation mark
};
TrackNumber track_number(string_view part) {
  const std::size_t bracket = part.starts_with('(') || part.starts_with('[') ? 1 : 0;
  const std::size_t digits = digits_from(part, bracket);
  if (digits == 0 || digits > kTrackNumberDigitsMax) return {};
  std::size_t at = bracket + digits;
  while (at < part.size() && string_view(".)]- ").find(part[at]) != string_view::npos) ++at;
  const string_view between = part.substr(bracket + digits, at - bracket - digits);
  if (between.empty() || at == part.size()) return {};
  return {at, part[bracket] == '0' || between.find_first_not_of(' ') != string_view::npos};
}

std::string joined(std::span<const string_view> parts) {
  std::string text;
  for (const string_view part : parts) text.append(text.empty() ? "" : " ").append(part);
  return text;
}

void add_reading(std::vector<NameReading>& readings, std::string text, NameReading::Needs needs) {
  const auto is_same = [&](const NameReading& reading) { return reading.text == text; };
  if (text.empty() || readings.size() >= kReadingsMax || std::any_of(readings.begin(), readings.end(), is_same)) return;
  readings.push_back({std::move(text), needs});
}

/// CREDIT-23.
std::vector<NameReading> readings_of(string_view stem, string_view name) {
  using enum NameReading::Needs;
  std::vector<NameReading> readings;
  add_reading(readings, std::string(stem), nothing);
  add_reading(readings, std::string(name), nothing);
  const std::string plain = with_plain_separators(without_suffixes(stem));
  std::vector<string_view> parts = split_name(plain);
  if (parts.empty()) return readings;
  const TrackNumber number = track_number(parts.front());
  parts.front().remove_prefix(number.size);
  const bool is_certain = number.size == 0 || number.is_certain;
  add_reading(readings, joined(parts), is_certain ? nothing : artist_or_duration);
  if (parts.size() > 2) add_reading(readings, joined(std::array{parts.front(), parts.back()}), artist_or_duration);
  if (parts.size() > 1) add_reading(readings, std::string(parts.back()), duration);
  return readings;
}

}  // namespace

bool SourceNumber::contradicts(std::string_view other_id) const {
  const std::size_t prefix = track_id.rfind('-') + 1;
  return other_id != track_id && other_id.substr(0, prefix) == string_view(track_id).substr(0, prefix);
}

FileName read_file_name(std::string_view name) {
  const std::string base = base_name(name);
  string_view stem = base;
  for (int i = 0; i < 2; ++i) {
    const string_view extension = extension_of(stem);
    if (!extension.empty()) stem.remove_suffix(extension.size() + 1);
  }
  return {ids_in(stem), number_in_name(stem), readings_of(stem, base)};
}

namespace {

/// Returns the value of Jamendo's parameter `trackid`; empty if it is missing or has several different values.
string_view track_id_in(string_view query) {
  constexpr string_view kParameter = "trackid=";
  string_view number;
  for (std::size_t at = query.find(kParameter); at != string_view::npos; at = query.find(kParameter, at + 1)) {
    if (at == 0 || (query[at - 1] != '?' && query[at - 1] != '&')) continue;
    const std::size_t begin = at + kParameter.size();
    const string_view found = query.substr(begin, digits_from(query, begin));
    if (!number.empty() && found != number) return {};
    number = found;
  }
  return number;
}

std::optional<SourceNumber> number_in_address(const text::NormalizedUrl& url, std::span<const string_view> segments) {
  if (text::is_in_domain(url.host, "freesound.org")) {
    for (const string_view before : {"sounds", "s"}) {
      const string_view number = number_after(segments, before);
      if (!number.empty()) return freesound(number);
    }
    if (segments.empty()) return std::nullopt;
    const string_view file = segments.back();
    return number_in_name(file.substr(0, file.rfind('.')));
  }
  if (text::is_in_domain(url.host, "jamendo.com")) {
    string_view number = number_after(segments, "track");
    if (number.empty()) number = track_id_in(url.query);
    if (is_number(number)) return SourceNumber{"jamendo-" + std::string(number), "jamendo.com", {}, {}};
  }
  const bool is_upload = text::is_in_domain(url.host, "ccmixter.org") && segments.size() == 3 && segments[0] == "files";
  if (is_upload && is_number(segments[2])) {
    return SourceNumber{"ccmixter-" + std::string(segments[2]), "ccmixter.org", {}, {}};
  }
  return std::nullopt;
}

std::string id_in_page_path(std::span<const string_view> segments) {
  if (segments.size() < 2 || segments[segments.size() - 2] != "tracks") return {};
  return segments.back().size() <= kIdBytesMax ? std::string(segments.back()) : std::string();
}

}  // namespace

FileAddress read_file_address(std::string_view address) {
  const auto url = text::normalize_url(address);
  if (!url) return {};
  const bool is_long = std::count(url->path.begin(), url->path.end(), '/') > kSegmentsMax;
  const auto segments = is_long ? std::vector<string_view>() : text::path_segments(url->path);
  FileAddress read{{url->joined()}, number_in_address(*url, segments), id_in_page_path(segments)};
  if (!url->query.empty() && !extension_of(url->path).empty()) read.forms.push_back(url->host + url->path);
  return read;
}

string_view without_audio_extension(string_view name) {
  const string_view extension = extension_of(name);
  return extension.empty() ? name : name.substr(0, name.size() - extension.size() - 1);
}

std::string letters_and_digits(std::string_view text) {
  const std::string folded = text::fold_case(text);
  std::string kept;
  for (std::size_t at = 0; at < folded.size();) {
    const std::size_t begin = at;
    const char32_t c = text::next_code_point(folded, at);
    const bool is_kept = c < 0x80 ? ascii::is_alphanumeric(static_cast<char>(c)) : !text::is_invisible(c);
    if (is_kept) kept.append(folded, begin, at - begin);
  }
  return kept;
}

}  // namespace tonearm
