#pragma once
// One canonical track line (LINE-2) as plain values: its types are right, its rules are not checked yet. Both the
// JSON reader and the adapters of real sources make these.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::builder {

/// Why a line is left out. The name stands in the report.
enum class Reason : std::uint8_t {
  invalid_json,
  invalid_utf8,
  line_too_long,
  row_broken,
  not_an_object,
  duplicate_key,
  key_missing,
  wrong_type,
  id_invalid,
  duplicate_id,
  duplicate_url,
  duplicate_recording,
  kind_unknown,
  title_missing,
  artist_missing,
  duration_missing,
  duration_invalid,
  bpm_invalid,
  tag_invalid,
  category_unknown,
  energy_unknown,
  tone_unknown,
  quality_invalid,
  license_missing,
  license_version_missing,
  license_unknown,
  license_ambiguous,
  license_contradiction,
  license_status_unknown,
  source_invalid,
  url_invalid,
  too_many_neighbors,
  license_not_offered,
  license_ported,
  license_old_version,
  sampling,
  share_alike,
  no_derivatives,
  policy_license,
  policy_source,
  policy_id,
  policy_tag,
};

struct ReasonRow {
  Reason reason;
  std::string_view name;
  bool by_policy;  // no error under --strict (LINE-7)
  std::string_view meaning;
};

inline constexpr std::size_t kReasonCount = 42;
/// One row for each reason, in the order of the enumeration.
extern const std::array<ReasonRow, kReasonCount> kReasons;
inline const ReasonRow& reason_row(Reason reason) { return kReasons[static_cast<std::size_t>(reason)]; }

/// What tells which recording a row of a source is about, besides its id.
struct Signs {
  std::vector<std::string> audio = {};  // its addresses
  std::string title = {};
  std::string artist = {};
  std::optional<std::string> duration_s = std::nullopt;
  std::vector<std::string> made_from = {};  // the ids of the recordings that it was cut, copied or mixed from
};

/// A line that is left out (LINE-4). `id` is empty if it could not be read. What a row of a source says about its
/// recording counts all the same (LINE-8): the license that it states, and what tells which recording it is.
struct Rejection {
  Reason reason = Reason::invalid_json;
  std::string message;
  std::string id;
  std::optional<std::string> license = std::nullopt;
  Signs signs = {};
};

/// Numbers are decimal text as JSON writes it; what is absent or null is `nullopt`.
struct Line {
  std::string id;
  std::string kind;
  std::optional<std::string> title;
  std::string artist;
  std::string description;  // empty: null
  std::optional<std::string> duration_s;
  std::optional<std::string> bpm;
  std::array<std::vector<std::string>, kFacetCount> tags;
  std::optional<std::string> category;
  std::optional<std::string> energy;
  std::optional<std::string> tone;
  bool loop = false;
  std::optional<std::string> quality;
  std::optional<std::string> license;
  std::string license_status = "listed";
  bool credit_requested = false;
  std::string source;
  std::optional<std::string> source_page;
  std::optional<std::string> preview_url;
  std::optional<std::string> original_url;
  std::optional<std::string> peaks_url;
  bool taken_down = false;
  std::optional<std::vector<std::string>> neighbors;
  /// The ids of the recordings that this one was cut, copied or mixed from (LINE-15). Only rows of sources give them.
  std::vector<std::string> made_from;
  /// Only sources that hold the audio itself give it; no key of a JSON line does.
  std::shared_ptr<const TrackAudio> audio;
};

Signs signs_of(const Line& line);

}  // namespace tonearm::builder
