#pragma once
// What the name of a file, and the address that it came from, say of its track (CREDIT-21 to CREDIT-23): ids that stand
// in them, the numbers of sources that name their downloads by them, and what the track may be called. Pure,
// thread-safe. Nothing that is read is trusted; the work is in proportion to its length.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm {

/// A source's own number of a track, out of a name or an address of the form that the source gives them.
struct SourceNumber {
  std::string track_id;
  std::string domain;
  // What a name says beside the number; empty: nothing.
  std::string artist;
  std::string title;

  /// Whether the catalog has the same sound of the same source under another number.
  bool contradicts(std::string_view other_id) const;
};

/// What a track may be called by the name of its file, and what has to agree beside it.
struct NameReading {
  enum class Needs : std::uint8_t { nothing, artist_or_duration, duration };

  std::string text;
  Needs needs = Needs::nothing;

  friend bool operator==(const NameReading&, const NameReading&) = default;
};

struct FileName {
  /// Ids that may stand in it: for each place those that end there, the longest first.
  std::vector<std::vector<std::string>> ids;
  std::optional<SourceNumber> number;
  std::vector<NameReading> readings;  // the surest first
};
inline constexpr std::size_t kIdPlacesMax = 4;
inline constexpr std::size_t kIdsInPlaceMax = 4;
inline constexpr std::size_t kReadingsMax = 5;

/// REQUIRES: is_utf8(name).
FileName read_file_name(std::string_view name);

/// The number that an address of a known source holds.
std::optional<SourceNumber> number_in_address(std::string_view address);
/// The id at the end of the address of a track's page in a catalog (TRACK-4); empty: none.
std::string id_in_page_url(std::string_view address);
/// The compared forms of an address, the surest first: that of a file may have a query of its own at each download.
std::vector<std::string> compared_addresses(std::string_view address);

/// Letters and digits alone, without case: what every form of a file's name leaves of a text. REQUIRES: is_utf8(text).
std::string letters_and_digits(std::string_view text);

}  // namespace tonearm
