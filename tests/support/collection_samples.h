#pragma once
// License records and tracks to add, for tests of collections.

#include <string>

#include "domain/collection.h"

namespace tonearm::test {

inline LicenseRecord record_of(const std::string& id, LicenseId license_id = LicenseId::cc_by_4_0) {
  const License& terms = license(license_id);
  LicenseRecord record;
  record.terms = {std::string(terms.name_id), terms.commercial, terms.credit_required, terms.share_alike,
                  attribution(license_id, false)};
  record.license_name = terms.name;
  record.license_url = terms.url;
  record.license_status = LicenseStatus::verified;
  record.title = "Title of " + id;
  record.artist = "Ada";
  record.source_page = "https://example.org/" + id;
  record.credit_line = credit_line({record.title, record.artist, record.source_page, license_id});
  record.catalog_version = "0123456789abcdef";
  return record;
}

inline TrackToAdd track_to_add(const std::string& id, LicenseId license_id = LicenseId::cc_by_4_0) {
  return {id, record_of(id, license_id), {}, {}};
}

inline TrackToAdd unknown_track(const std::string& id) { return {id, {}, {}, {}}; }

/// Returns "t-0", "t-1"... for the range [from, to).
inline std::vector<TrackToAdd> tracks_to_add(std::size_t from, std::size_t to) {
  std::vector<TrackToAdd> tracks;
  for (std::size_t i = from; i < to; ++i) tracks.push_back(track_to_add("t-" + std::to_string(i)));
  return tracks;
}

}  // namespace tonearm::test
