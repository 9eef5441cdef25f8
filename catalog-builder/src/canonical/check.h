#pragma once
// Applies the rules of LINE-2 to LINE-9 to a canonical line, which becomes a track or a rejection. Pure.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "canonical/line.h"

namespace tonearm::builder {

struct CheckOptions {
  bool evaluation = false;         // BUILD-3
  bool allow_share_alike = false;  // --allow-share-alike
  std::string media_url = "http://127.0.0.1:8080/media";
};

inline constexpr std::size_t kIdCharactersMax = 64;
inline constexpr std::size_t kGivenNeighborsMax = 200;

/// A track whose neighbors are still ids, because their tracks may follow later.
struct Candidate {
  Track track;
  std::optional<std::vector<std::string>> neighbor_ids;
};

/// Whether it is `<source_prefix>-<digits>`: letters, digits, `_`, `.` and `-` before the last hyphen, beginning with a
/// letter or digit.
bool is_track_id(std::string_view id);
/// Whether it matches `[a-z0-9_-]+`.
bool is_tag_id(std::string_view id);

/// Appends the ids of `more` that `ids` lacks, without duplicates, in order. Linear time.
void add_tags(std::vector<std::string>& ids, std::vector<std::string> more);

/// Whether it is an id of the table without its version ("cc-by"), which does not state a license (LINE-8).
bool lacks_version(std::string_view license_id);

/// Whether the track is an effect of the group `speech` (TAXONOMY-1).
bool is_speech(const Track& track);

std::variant<Candidate, Rejection> check(Line line, const CheckOptions& options);

}  // namespace tonearm::builder
