#pragma once
// A canonical track line (LINE-2) as plain values, with the right types but before its rules are checked. Both the JSON
// reader and the adapters of real sources make lines.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tonearm/track.h"

namespace tonearm::builder {

/// Why a line is rejected. The report contains the name.
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
  vocals_invalid,
  key_unknown,
  loudness_invalid,
  published_invalid,
  credit_as_invalid,
  content_id_unknown,
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
  bool by_policy;  // not an error under --strict (LINE-7)
};

inline constexpr std::size_t kReasonCount = 48;
/// One row for each reason, in the order of the enumeration.
extern const std::array<ReasonRow, kReasonCount> kReasons;
inline const ReasonRow& reason_row(Reason reason) { return kReasons[static_cast<std::size_t>(reason)]; }

/// Evidence besides the id for which recording a row of a source describes.
struct RecordingEvidence {
  std::vector<std::string> audio = {};  // its URLs
  std::string title = {};
  std::string artist = {};
  std::optional<std::string> duration_s = std::nullopt;
  std::vector<std::string> made_from = {};  // ids of the recordings that it was cut, copied or mixed from
};

/// A rejected line (LINE-4). `id` is empty if it could not be read. The license that a rejected row of a source states
/// still counts for its recording (LINE-8).
struct Rejection {
  Reason reason = Reason::invalid_json;
  std::string message;
  std::string id;
  std::optional<std::string> license = std::nullopt;
  RecordingEvidence evidence = {};
};

/// Numbers are decimal text as in JSON; absent and null values are `nullopt`.
struct Line {
  std::string id;
  std::string kind;
  std::optional<std::string> title;
  std::string artist;
  std::string description;  // empty: null
  std::optional<std::string> duration_s;
  std::optional<std::string> bpm;
  std::optional<std::string> vocals;
  std::optional<std::string> key;
  std::optional<std::string> loudness_lufs;
  std::array<std::vector<std::string>, kFacetCount> tags;
  /// Tags that fit no facet. Only rows of sources have them.
  std::vector<std::string> matching_words;
  std::optional<std::string> category;
  std::optional<std::string> energy;
  std::optional<std::string> tone;
  bool loop = false;
  std::optional<std::string> quality;
  std::optional<std::string> license;
  std::string license_status = "listed";
  bool credit_requested = false;
  std::string credit_as;  // empty: null
  std::optional<std::string> content_id;
  std::string source;
  std::optional<std::string> source_page;
  std::optional<std::string> published;
  std::optional<std::string> preview_url;
  std::optional<std::string> original_url;
  std::optional<std::string> peaks_url;
  bool taken_down = false;
  std::optional<std::vector<std::string>> neighbors;
  /// The ids of the recordings that this one was cut, copied or mixed from (LINE-15). Only rows of sources have them.
  std::vector<std::string> made_from;
  /// Only sources that contain the audio itself have it; JSON lines have no key for it.
  std::shared_ptr<const TrackAudio> audio;
};

RecordingEvidence evidence_of(const Line& line);

}  // namespace tonearm::builder
