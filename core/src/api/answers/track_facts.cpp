#include "api/answers/track_facts.h"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>
#include <string>

#include "reflection/track_type.h"
#include "tonearm/ascii.h"

namespace tonearm::api {
namespace {

using table::track_path;
using table::value_at;

/// The fields that this file reads, as indices into track_paths().
struct Paths {
  std::size_t title = track_path("title");
  std::size_t artist = track_path("artist");
  std::size_t license_id = track_path("license.id");
  std::size_t license_name = track_path("license.name");
  std::size_t license_url = track_path("license.url");
  std::size_t license_status = track_path("license.status");
  std::size_t commercial = track_path("terms.commercial");
  std::size_t credit = track_path("terms.credit");
  std::size_t share_alike = track_path("terms.share_alike");
  std::size_t attribution = track_path("attribution");
  std::size_t credit_line = track_path("credit_line");
  std::size_t credit_as = track_path("credit_as");
  std::size_t source_page = track_path("source_page");
  std::size_t id = track_path("id");
  std::size_t duration = track_path("duration_s");
  std::size_t preview_url = track_path("preview_url");
  std::size_t original_url = track_path("original_url");
  std::size_t page_url = track_path("page_url");
};
const Paths& paths() {
  static const Paths kPaths;
  return kPaths;
}

/// Returns the string at a path, or an empty one for null.
std::string text_at(const RenderedTrack& track, std::size_t path) {
  const std::string_view json = value_at(track, path);
  if (json == "null") return {};
  if (json.find('\\') == std::string_view::npos) return std::string(json.substr(1, json.size() - 2));
  return boost::json::value_to<std::string>(boost::json::parse(json));
}

/// Converts seconds with up to three decimals to milliseconds.
std::uint64_t milliseconds_at(const RenderedTrack& track, std::size_t path) {
  std::uint64_t ms = 0;
  int decimals = -1;
  for (const char c : value_at(track, path)) {
    if (c == '.') decimals = 0;
    if (!ascii::is_digit(c) || decimals == 3) continue;
    ms = ms * 10 + static_cast<std::uint64_t>(c - '0');
    if (decimals >= 0) ++decimals;
  }
  for (int i = std::max(decimals, 0); i < 3; ++i) ms *= 10;
  return ms;
}

bool is_true_at(const RenderedTrack& track, std::size_t path) { return value_at(track, path) == "true"; }

Attribution attribution_at(const RenderedTrack& track, std::size_t path) {
  using enum Attribution;
  const std::string name = text_at(track, path);
  for (const Attribution value : {required, requested}) {
    if (to_string(value) == name) return value;
  }
  return optional;
}

}  // namespace

std::string track_id(const RenderedTrack& track) { return text_at(track, paths().id); }

LicenseTerms license_terms(const RenderedTrack& track) {
  const Paths& at = paths();
  return {text_at(track, at.license_id), is_true_at(track, at.commercial),
          text_at(track, at.credit) == table::kCreditNames[1], is_true_at(track, at.share_alike),
          attribution_at(track, at.attribution)};
}

LicenseRecord license_record(const RenderedTrack& track, std::string_view catalog_version) {
  const Paths& at = paths();
  LicenseRecord record;
  record.terms = license_terms(track);
  record.license_name = text_at(track, at.license_name);
  record.license_url = text_at(track, at.license_url);
  const bool verified = text_at(track, at.license_status) == to_string(LicenseStatus::verified);
  record.license_status = verified ? LicenseStatus::verified : LicenseStatus::listed;
  record.credit_line = text_at(track, at.credit_line);
  record.title = text_at(track, at.title);
  record.artist = text_at(track, at.artist);
  record.credit_as = text_at(track, at.credit_as);
  record.source_page = text_at(track, at.source_page);
  record.catalog_version = catalog_version;
  return record;
}

TrackNames track_names(const RenderedTrack& track) {
  const Paths& at = paths();
  TrackNames names{track_id(track),
                   text_at(track, at.title),
                   text_at(track, at.artist),
                   milliseconds_at(track, at.duration),
                   text_at(track, at.page_url),
                   {}};
  for (const std::size_t path : {at.source_page, at.preview_url, at.original_url}) {
    std::string address = text_at(track, path);
    if (!address.empty()) names.addresses.push_back(std::move(address));
  }
  return names;
}

}  // namespace tonearm::api
