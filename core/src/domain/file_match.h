#pragma once
// Which track a file is, as far as names and durations tell (CREDIT-20 to CREDIT-28). Pure, thread-safe.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "domain/file_names.h"

namespace tonearm {

/// The surest first.
enum class FoundBy : std::uint8_t { fingerprint, sha256, url, id, title };
inline constexpr std::array<std::string_view, 5> kFoundByNames{"fingerprint", "sha256", "url", "id", "title"};

/// How sure an answer is (CREDIT-24).
namespace scores {
inline constexpr std::uint32_t kFingerprint = 99;
inline constexpr std::uint32_t kSha256 = 98;
inline constexpr std::uint32_t kUrl = 95;
inline constexpr std::uint32_t kId = 90;
inline constexpr std::uint32_t kTitleAndArtist = 80;
inline constexpr std::uint32_t kTitleAndDuration = 70;
inline constexpr std::uint32_t kTitle = 60;
inline constexpr std::uint32_t kOneWord = 50;
/// On top of title and artist where the duration agrees too.
inline constexpr std::uint32_t kDuration = 5;
}  // namespace scores

/// A track that a file may be.
struct FileCandidate {
  std::string id;
  std::vector<std::string> title;   // its words, folded
  std::vector<std::string> artist;  // the same
  std::uint64_t duration_ms = 0;
};

/// What a file says beside its name.
struct FileFacts {
  std::optional<std::uint64_t> duration_ms;
  std::optional<SourceNumber> number;
};

/// The durations that agree with one: within two seconds of it or a fiftieth, whichever is more.
struct DurationSpan {
  std::uint64_t min_ms = 0;
  std::uint64_t max_ms = 0;
};
DurationSpan durations_like(std::uint64_t duration_ms);

struct TitleChoice {
  enum class Outcome : std::uint8_t { none, undecided, found };

  Outcome outcome = Outcome::none;
  std::size_t index = 0;  // of the candidate
  std::uint32_t score = 0;
};
/// Which of the candidates is called as the reading says (CREDIT-23). `words`: of the reading, folded.
TitleChoice choose_titled(const NameReading& reading, std::span<const std::string> words, const FileFacts& file,
                          std::span<const FileCandidate> candidates);

/// Whether a name that holds a source's number says nothing against that track: artist or title are its own.
bool agrees(const SourceNumber& number, std::string_view title, std::string_view artist);

}  // namespace tonearm
