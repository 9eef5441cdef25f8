#pragma once
// Reads what a file's name and its address tell about its track (CREDIT-21 to CREDIT-23): ids, numbers that sources put
// into the names of downloads, and possible titles. Pure, thread-safe. Inputs are untrusted; the time is proportional
// to their length.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm {

/// The number that a source gave a track, read from a name or an address in the source's own form.
struct SourceNumber {
  std::string track_id;
  std::string domain;
  // From a name, as written; empty if it does not contain them.
  std::string artist;
  std::string title;

  /// Returns whether `other_id` is a track of the same source with another number.
  bool contradicts(std::string_view other_id) const;
};

/// A possible title of a track, read from its file's name, and what else has to match.
struct NameReading {
  enum class Needs : std::uint8_t { nothing, artist_or_duration, duration };

  std::string text;
  Needs needs = Needs::nothing;

  friend bool operator==(const NameReading&, const NameReading&) = default;
};

struct FileName {
  /// Possible ids in the name, grouped by where they end, longest first.
  std::vector<std::vector<std::string>> ids;
  std::optional<SourceNumber> number;
  std::vector<NameReading> readings;  // most certain first
};
inline constexpr std::size_t kIdEndsMax = 4;
inline constexpr std::size_t kIdsPerEndMax = 4;
inline constexpr std::size_t kReadingsMax = 5;

/// Reads the name of a file. REQUIRES: is_utf8(name).
FileName read_file_name(std::string_view name);

/// What the address of a file or of a track's page tells (CREDIT-21).
struct FileAddress {
  /// The forms to compare, most certain first. A file's address is also compared without its query, which may differ
  /// for each download.
  std::vector<std::string> forms{};
  std::optional<SourceNumber> number{};  // if the address is one of a known source
  std::string page_id{};  // at the end of the address of a track's page in a catalog (TRACK-4); empty: none
};
/// Reads an address. The result is empty unless is_web_address(address).
FileAddress read_file_address(std::string_view address);

/// Returns the name without the extension of an audio file.
std::string_view without_audio_extension(std::string_view name);

/// Returns only the letters and digits of a text, case-folded: every form of a file name keeps them. REQUIRES:
/// is_utf8(text).
std::string letters_and_digits(std::string_view text);

}  // namespace tonearm
