#include "canonical/line.h"

namespace tonearm::builder {

const std::array<ReasonRow, kReasonCount> kReasons{{
    {Reason::invalid_json, "invalid_json", false},
    {Reason::invalid_utf8, "invalid_utf8", false},
    {Reason::line_too_long, "line_too_long", false},
    {Reason::row_broken, "row_broken", false},
    {Reason::not_an_object, "not_an_object", false},
    {Reason::duplicate_key, "duplicate_key", false},
    {Reason::key_missing, "key_missing", false},
    {Reason::wrong_type, "wrong_type", false},
    {Reason::id_invalid, "id_invalid", false},
    {Reason::duplicate_id, "duplicate_id", false},
    {Reason::duplicate_url, "duplicate_url", false},
    {Reason::duplicate_recording, "duplicate_recording", true},
    {Reason::kind_unknown, "kind_unknown", false},
    {Reason::title_missing, "title_missing", false},
    {Reason::artist_missing, "artist_missing", false},
    {Reason::duration_missing, "duration_missing", false},
    {Reason::duration_invalid, "duration_invalid", false},
    {Reason::bpm_invalid, "bpm_invalid", false},
    {Reason::tag_invalid, "tag_invalid", false},
    {Reason::category_unknown, "category_unknown", false},
    {Reason::energy_unknown, "energy_unknown", false},
    {Reason::tone_unknown, "tone_unknown", false},
    {Reason::vocals_invalid, "vocals_invalid", false},
    {Reason::key_unknown, "key_unknown", false},
    {Reason::loudness_invalid, "loudness_invalid", false},
    {Reason::published_invalid, "published_invalid", false},
    {Reason::credit_as_invalid, "credit_as_invalid", false},
    {Reason::content_id_unknown, "content_id_unknown", false},
    {Reason::quality_invalid, "quality_invalid", false},
    {Reason::license_missing, "license_missing", false},
    {Reason::license_version_missing, "license_version_missing", false},
    {Reason::license_unknown, "license_unknown", false},
    {Reason::license_ambiguous, "license_ambiguous", false},
    {Reason::license_contradiction, "license_contradiction", true},
    {Reason::license_status_unknown, "license_status_unknown", false},
    {Reason::source_invalid, "source_invalid", false},
    {Reason::url_invalid, "url_invalid", false},
    {Reason::too_many_neighbors, "too_many_neighbors", false},
    {Reason::license_not_offered, "license_not_offered", true},
    {Reason::license_ported, "license_ported", true},
    {Reason::license_old_version, "license_old_version", true},
    {Reason::sampling, "sampling", true},
    {Reason::share_alike, "share_alike", true},
    {Reason::no_derivatives, "no_derivatives", true},
    {Reason::policy_license, "policy_license", true},
    {Reason::policy_source, "policy_source", true},
    {Reason::policy_id, "policy_id", true},
    {Reason::policy_tag, "policy_tag", true},
}};

RecordingEvidence evidence_of(const Line& line) {
  RecordingEvidence evidence{{}, line.title.value_or(""), line.artist, line.duration_s, line.made_from};
  for (const auto* url : {&line.original_url, &line.preview_url}) {
    if (*url) evidence.audio.push_back(**url);
  }
  return evidence;
}

}  // namespace tonearm::builder
