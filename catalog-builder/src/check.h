#pragma once
// The rules of a canonical line's values (C10): a checked line becomes a track, any other a fault. Pure.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "line.h"

namespace tonearm::builder {

struct CheckOptions {
  bool evaluation = false;         // C10.2
  bool allow_share_alike = false;  // --allow-share-alike
  std::string media_url = "http://127.0.0.1:8080/media";
};

inline constexpr std::size_t kIdCharactersMax = 64;
inline constexpr std::size_t kGivenNeighborsMax = 200;

/// A track whose neighbors are still ids, because the tracks that they name may come later.
struct Candidate {
  Track track;
  std::optional<std::vector<std::string>> neighbor_ids;
};

/// `<source_prefix>-<digits>`: letters, digits, `_`, `.` and `-` before the last hyphen, beginning with a letter or
/// digit.
bool is_track_id(std::string_view id);
/// `[a-z0-9_-]+`
bool is_tag_id(std::string_view id);

/// Adds to the ids of tags those of `more` that are not among them, each once, in order; in linear time.
void add_tags(std::vector<std::string>& ids, std::vector<std::string> more);

/// An id of the table without its version ("cc-by"), which states no license yet (C10.2). "cc-zero" is CC0 without it.
bool lacks_version(std::string_view license_id);

std::variant<Candidate, Fault> check(Line line, const CheckOptions& options);

}  // namespace tonearm::builder
