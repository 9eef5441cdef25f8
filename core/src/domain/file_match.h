#pragma once
// Finds the track of a file by names and durations (CREDIT-20 to CREDIT-28). Pure, thread-safe.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "domain/file_names.h"

namespace tonearm {

/// How the track was found, most certain first.
enum class FoundBy : std::uint8_t { fingerprint, sha256, url, id, title };
inline constexpr std::array<std::string_view, 5> kFoundByNames{"fingerprint", "sha256", "url", "id", "title"};

/// The confidence of a result (CREDIT-24).
namespace scores {
inline constexpr std::uint32_t kFingerprint = 99;
inline constexpr std::uint32_t kSha256 = 98;
inline constexpr std::uint32_t kUrl = 95;
inline constexpr std::uint32_t kId = 90;
inline constexpr std::uint32_t kTitleAndArtist = 80;
inline constexpr std::uint32_t kTitleAndDuration = 70;
inline constexpr std::uint32_t kTitle = 60;
inline constexpr std::uint32_t kOneWord = 50;
/// Added to title and artist if the duration matches too.
inline constexpr std::uint32_t kDuration = 5;

/// Of a track in a mix (CREDIT-31).
inline constexpr std::uint32_t kHeard = 90;
inline constexpr std::uint32_t kHeardAmbiguously = 60;
}  // namespace scores

/// A track that may be the track of a file.
struct FileCandidate {
  std::string id;
  std::vector<std::string> title;   // case-folded words
  std::vector<std::string> artist;  // the same
  std::uint64_t duration_ms = 0;
  std::vector<std::string> bare_title = {};  // the title without the extension of an audio file; empty: it has none
};

/// What is known about a file besides its name.
struct FileFacts {
  std::optional<std::uint64_t> duration_ms;
  std::optional<SourceNumber> number;
};

/// The durations that match a given one: those within two seconds or one fiftieth of it, whichever is larger.
struct DurationSpan {
  std::uint64_t min_ms = 0;
  std::uint64_t max_ms = 0;
};
DurationSpan matching_durations(std::uint64_t duration_ms);

struct TitleChoice {
  enum class Outcome : std::uint8_t { none, ambiguous, found };

  Outcome outcome = Outcome::none;
  std::size_t index = 0;  // of the candidate
  std::uint32_t score = 0;
};
/// Chooses the candidate whose title and artist match a reading (CREDIT-23). `words`: the reading's case-folded words.
TitleChoice choose_by_title(const NameReading& reading, std::span<const std::string> words, const FileFacts& file,
                            std::span<const FileCandidate> candidates);

/// Returns whether the artist and title in a file name do not contradict the track: one of them matches, or there are
/// none.
bool is_consistent(const SourceNumber& number, std::string_view title, std::string_view artist);

}  // namespace tonearm
