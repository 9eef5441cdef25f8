#include "canonical/line.h"

namespace tonearm::builder {

const std::array<ReasonRow, kReasonCount> kReasons{{
    {Reason::invalid_json, "invalid_json", false, "The line is no JSON text."},
    {Reason::invalid_utf8, "invalid_utf8", false, "The line is not UTF-8."},
    {Reason::line_too_long, "line_too_long", false, "The line is longer than 1 MiB."},
    {Reason::row_broken, "row_broken", false, "The row does not fit the header, names a key twice, or is no object."},
    {Reason::not_an_object, "not_an_object", false, "The line is not one JSON object."},
    {Reason::duplicate_key, "duplicate_key", false, "An object of the line names a key twice."},
    {Reason::key_missing, "key_missing", false, "A required key is missing."},
    {Reason::wrong_type, "wrong_type", false, "A value has not the type of its key."},
    {Reason::id_invalid, "id_invalid", false, "The id is not <source_prefix>-<digits> of at most 64 characters."},
    {Reason::duplicate_id, "duplicate_id", false, "An earlier line has the id already; the first decides."},
    {Reason::duplicate_url, "duplicate_url", false, "An earlier track of a source has the audio's address already."},
    {Reason::duplicate_recording, "duplicate_recording", true, "Another source has this recording; that one stays."},
    {Reason::kind_unknown, "kind_unknown", false, "The kind is neither music nor sfx."},
    {Reason::title_missing, "title_missing", false, "There is no title."},
    {Reason::artist_missing, "artist_missing", false, "The license asks for a credit, and no artist is named."},
    {Reason::duration_missing, "duration_missing", false, "There is no duration."},
    {Reason::duration_invalid, "duration_invalid", false, "The duration is below 0 or beyond 49 days."},
    {Reason::bpm_invalid, "bpm_invalid", false, "The bpm is below 0 or beyond any tempo."},
    {Reason::tag_invalid, "tag_invalid", false, "A tag id is not [a-z0-9_-]+."},
    {Reason::category_unknown, "category_unknown", false, "The category is not one of the sound taxonomy."},
    {Reason::energy_unknown, "energy_unknown", false, "The energy is not calm, steady or driving."},
    {Reason::tone_unknown, "tone_unknown", false, "The tone is not dark, warm or bright."},
    {Reason::quality_invalid, "quality_invalid", false, "The quality is not in 0..1."},
    {Reason::license_missing, "license_missing", false, "No license is stated, and none is assumed."},
    {Reason::license_version_missing, "license_version_missing", false, "The license is stated without its version."},
    {Reason::license_unknown, "license_unknown", false, "The license id is not one of the catalog's."},
    {Reason::license_ambiguous, "license_ambiguous", false, "Several licenses are stated, and none is chosen."},
    {Reason::license_contradiction, "license_contradiction", true, "Sources state licenses of which none covers all."},
    {Reason::license_status_unknown, "license_status_unknown", false, "The status is neither verified nor listed."},
    {Reason::source_invalid, "source_invalid", false, "The source is not a domain."},
    {Reason::url_invalid, "url_invalid", false, "An address is not an http(s) URL or a path under the media address."},
    {Reason::too_many_neighbors, "too_many_neighbors", false, "There are more than 200 neighbors."},
    {Reason::license_not_offered, "license_not_offered", true, "The catalog does not offer this license."},
    {Reason::license_ported, "license_ported", true, "A license ported to a country is not offered."},
    {Reason::license_old_version, "license_old_version", true, "This version of the license is not offered."},
    {Reason::sampling, "sampling", true, "Sampling licenses are not offered."},
    {Reason::share_alike, "share_alike", true, "ShareAlike tracks are left out (--allow-share-alike keeps them)."},
    {Reason::no_derivatives, "no_derivatives", true, "NoDerivatives tracks are not offered."},
    {Reason::policy_license, "policy_license", true, "The policy file leaves this license out, or does not offer it."},
    {Reason::policy_source, "policy_source", true, "The policy file leaves this source out."},
    {Reason::policy_id, "policy_id", true, "The policy file leaves this id out."},
    {Reason::policy_tag, "policy_tag", true, "The policy file leaves this tag out."},
}};

Signs signs_of(const Line& line) {
  Signs signs{{}, line.title.value_or(""), line.artist, line.duration_s, line.made_from};
  for (const auto* url : {&line.original_url, &line.preview_url}) {
    if (*url) signs.audio.push_back(**url);
  }
  return signs;
}

}  // namespace tonearm::builder
