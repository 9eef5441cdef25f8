#include "canonical/check.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <unordered_set>

#include "text/unicode.h"
#include "text/visible.h"
#include "tonearm/ascii.h"
#include "values/decimal.h"
#include "values/url.h"

namespace tonearm::builder {
namespace {

using MaybeRejection = std::optional<Rejection>;

constexpr std::uint64_t kDurationMsMax = std::numeric_limits<std::uint32_t>::max();  // 49 days
constexpr std::uint64_t kBpmHundredthsMax = 999'999'99;
constexpr std::int64_t kLoudnessHundredthsMin = -100'00;
constexpr std::int64_t kLoudnessHundredthsMax = 20'00;

MaybeRejection rejection(Reason reason, std::string message) { return Rejection{reason, std::move(message), {}}; }

std::string quoted(std::string_view value) { return std::string("\"").append(text::quotable(value)).append("\""); }

/// Removes NUL, which ends strings in too many programs (LINE-9).
void remove_nul(std::string& text) { text.erase(std::remove(text.begin(), text.end(), '\0'), text.end()); }

MaybeRejection set_texts(Line& line, const CheckOptions& options, Track& track) {
  for (const auto* text : {&line.artist, &line.description, &line.credit_as}) {
    if (!text::is_utf8(*text)) return rejection(Reason::invalid_utf8, "a text is not UTF-8");
  }
  track.title = std::move(line.title).value_or("");
  if (!text::is_utf8(track.title)) return rejection(Reason::invalid_utf8, "the title is not UTF-8");
  track.artist = std::move(line.artist);
  track.description = std::move(line.description);
  track.credit_as = std::move(line.credit_as);
  for (auto* text : {&track.title, &track.artist, &track.description, &track.credit_as}) remove_nul(*text);
  if (!track.credit_as.empty() && !text::has_visible(track.credit_as)) {
    return rejection(Reason::credit_as_invalid, "credit_as has no visible character");
  }
  if (text::has_visible(track.title)) return {};
  if (!options.evaluation) return rejection(Reason::title_missing, "the title is empty or has no visible character");
  track.title.clear();  // BUILD-3
  return {};
}

MaybeRejection set_duration(const Line& line, const CheckOptions& options, Track& track) {
  if (!line.duration_s || (options.evaluation && is_zero_decimal(*line.duration_s))) {
    if (options.evaluation) return {};  // BUILD-3: duration 0
    return rejection(Reason::duration_missing, "there is no duration");
  }
  const auto ms = scale_decimal(*line.duration_s, 3);
  if (!ms || *ms > kDurationMsMax) {
    return rejection(Reason::duration_invalid, "duration_s must be above 0 and below 49 days, not " + *line.duration_s);
  }
  if (is_zero_decimal(*line.duration_s)) return rejection(Reason::duration_missing, "the duration is 0");
  track.duration_ms = std::max<std::uint64_t>(*ms, 1);
  return {};
}

MaybeRejection set_numbers(const Line& line, Track& track) {
  if (line.bpm) {
    const auto bpm = scale_decimal(*line.bpm, 2);
    if (!bpm || *bpm > kBpmHundredthsMax) return rejection(Reason::bpm_invalid, "bpm must not be " + *line.bpm);
    track.bpm_hundredths = static_cast<std::uint32_t>(*bpm);
  }
  if (line.loudness_lufs) {
    const auto loudness = scale_signed_decimal(*line.loudness_lufs, 2);
    if (!loudness || *loudness < kLoudnessHundredthsMin || *loudness > kLoudnessHundredthsMax) {
      return rejection(Reason::loudness_invalid, "loudness_lufs must be -100 to 20, not " + *line.loudness_lufs);
    }
    track.loudness_hundredths = static_cast<std::int32_t>(*loudness);
  }
  if (line.quality) {
    const auto ceiling = scale_decimal(*line.quality, 3, Rounding::up);
    if (!ceiling || *ceiling > 1000) {
      return rejection(Reason::quality_invalid, "quality must be 0 to 1, not " + *line.quality);
    }
    // Truncated to thousandths (LINE-2), so that 0.4999 does not reach 0.5 (FILTER-7).
    track.quality = static_cast<std::uint16_t>(*scale_decimal(*line.quality, 3, Rounding::down));
  }
  return {};
}

MaybeRejection set_tags(Line& line, Track& track) {
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const auto& id : line.tags[facet]) {
      if (is_tag_id(id)) continue;
      return rejection(Reason::tag_invalid, "tags." + std::string(kFacetNames[facet]) + " contains " + quoted(id));
    }
    add_tags(track.tags[facet], std::move(line.tags[facet]));
  }
  add_tags(track.matching_words, std::move(line.matching_words));
  return {};
}

/// Looks up `value` in `names`; false if it is unknown.
template <class Enumeration, std::size_t Size>
bool parse_name(const std::array<std::string_view, Size>& names, const std::optional<std::string>& value,
                std::optional<Enumeration>& out) {
  if (!value) return true;
  const auto* found = std::find(names.begin(), names.end(), *value);
  if (found == names.end()) return false;
  out = static_cast<Enumeration>(found - names.begin());
  return true;
}

MaybeRejection set_names(const Line& line, Track& track) {
  std::optional<Kind> kind;
  if (!parse_name(kKindNames, std::optional(line.kind), kind)) {
    return rejection(Reason::kind_unknown, "kind must be music or sfx, not " + quoted(line.kind));
  }
  track.kind = *kind;
  if (!parse_name(kEnergyNames, line.energy, track.energy)) {
    return rejection(Reason::energy_unknown, "energy must not be " + quoted(*line.energy));
  }
  if (!parse_name(kToneNames, line.tone, track.tone)) {
    return rejection(Reason::tone_unknown, "tone must not be " + quoted(*line.tone));
  }
  if (!parse_name(kVocalsNames, line.vocals, track.vocals)) {
    return rejection(Reason::vocals_invalid, "vocals must be instrumental or vocal, not " + quoted(*line.vocals));
  }
  if (track.vocals && track.kind != Kind::music) {
    return rejection(Reason::vocals_invalid, "vocals applies to music only");
  }
  if (!parse_name(kContentIdNames, line.content_id, track.content_id)) {
    return rejection(Reason::content_id_unknown,
                     "content_id must be registered or none, not " + quoted(*line.content_id));
  }
  if (!line.category) return {};
  track.category = find_category(*line.category);
  if (!track.category) return rejection(Reason::category_unknown, "there is no category " + quoted(*line.category));
  return {};
}

/// Whether the text is a musical key (LINE-22): "C major", "F# minor", "Bb major".
bool is_musical_key(std::string_view text) {
  constexpr std::array<std::string_view, 17> kTonics{"C",  "C#", "Db", "D",  "D#", "Eb", "E",  "F", "F#",
                                                     "Gb", "G",  "G#", "Ab", "A",  "A#", "Bb", "B"};
  const auto space = text.find(' ');
  if (space == std::string_view::npos) return false;
  const auto mode = text.substr(space + 1);
  return (mode == "major" || mode == "minor") &&
         std::find(kTonics.begin(), kTonics.end(), text.substr(0, space)) != kTonics.end();
}

/// Whether the text is a day of the Gregorian calendar, "2024-05-01".
bool is_date(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-dd";
  const auto fits = [](char c, char form) { return form == 'd' ? ascii::is_digit(c) : c == form; };
  if (!std::equal(text.begin(), text.end(), kForm.begin(), kForm.end(), fits)) return false;
  const auto number = [text](std::size_t at, std::size_t digits) {
    return std::stoi(std::string(text.substr(at, digits)));
  };
  const std::chrono::year_month_day day(std::chrono::year(number(0, 4)),
                                        std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                        std::chrono::day(static_cast<unsigned>(number(8, 2))));
  return day.ok() && day.year() > std::chrono::year(0);
}

MaybeRejection set_key_and_date(const Line& line, Track& track) {
  if (line.key && !is_musical_key(*line.key)) {
    return rejection(Reason::key_unknown, "key must be like \"F# minor\", not " + quoted(*line.key));
  }
  if (line.published && !is_date(*line.published)) {
    return rejection(Reason::published_invalid,
                     "published must be a date like 2024-05-01, not " + quoted(*line.published));
  }
  track.key = line.key.value_or("");
  track.published = line.published.value_or("");
  return {};
}

/// Whether the id names NoDerivatives among its conditions ("cc-by-nc-nd-3.0").
bool is_no_derivatives(std::string_view id) {
  return id.starts_with("cc-") && (std::string(id) + "-").find("-nd-") != std::string::npos;
}

MaybeRejection set_license(const Line& line, const CheckOptions& options, Track& track) {
  if (line.license_status != to_string(LicenseStatus::listed) &&
      line.license_status != to_string(LicenseStatus::verified)) {
    return rejection(Reason::license_status_unknown, "license_status must not be " + quoted(line.license_status));
  }
  track.license_status =
      line.license_status == to_string(LicenseStatus::verified) ? LicenseStatus::verified : LicenseStatus::listed;
  track.credit_requested = line.credit_requested;
  const std::string id = line.license.value_or("");
  const bool missing = id.empty();
  const bool unversioned = lacks_version(id);
  if (options.evaluation && (missing || unversioned || id == "unknown")) {
    track.license = LicenseId::unknown;
    return {};
  }
  if (missing) return rejection(Reason::license_missing, "no license is stated");
  if (unversioned) return rejection(Reason::license_version_missing, quoted(id) + " has no version");
  if (is_no_derivatives(id)) return rejection(Reason::no_derivatives, quoted(id) + " forbids derivatives");
  const auto found = find_license(id);
  if (!found) return rejection(Reason::license_unknown, "there is no license " + quoted(id));
  if (license(*found).share_alike && !options.allow_share_alike) {
    return rejection(Reason::share_alike, quoted(id) + " is a ShareAlike license");
  }
  track.license = *found;
  return {};
}

MaybeRejection set_urls(const Line& line, const CheckOptions& options, Track& track) {
  const auto domain = normalized_domain(line.source);
  if (!domain) return rejection(Reason::source_invalid, "source must be a domain, not " + quoted(line.source));
  track.source = *domain;
  if (line.source_page) {
    if (!is_http_url(*line.source_page)) {
      return rejection(Reason::url_invalid, "source_page must be an http(s) URL, not " + quoted(*line.source_page));
    }
    track.source_page = *line.source_page;
  }
  struct Row {
    std::string_view key;
    const std::optional<std::string>& given;
    std::string& out;
  };
  for (const auto& row : {Row{"preview_url", line.preview_url, track.preview_url},
                          Row{"original_url", line.original_url, track.original_url},
                          Row{"peaks_url", line.peaks_url, track.peaks_url}}) {
    if (!row.given) continue;
    auto address = resolve_media_url(options.media_url, *row.given);
    if (!address) {
      return rejection(Reason::url_invalid,
                       std::string(row.key) + " must be an http(s) URL or a path, not " + quoted(*row.given));
    }
    row.out = std::move(*address);
  }
  return {};
}

void set_flags(const Line& line, Track& track) {
  track.loop = line.loop;
  track.taken_down = line.taken_down;
  if (!track.taken_down) return;
  track.preview_url.clear();  // TRACK-6: found by id with preview and original null
  track.original_url.clear();
}

}  // namespace

bool is_track_id(std::string_view id) {
  const auto hyphen = id.rfind('-');
  if (hyphen == std::string_view::npos || hyphen == 0 || id.size() > kIdCharactersMax) return false;
  const auto prefix = id.substr(0, hyphen);
  const auto digits = id.substr(hyphen + 1);
  if (!ascii::is_digits(digits) || !ascii::is_alphanumeric(prefix.front())) return false;
  return std::all_of(prefix.begin(), prefix.end(),
                     [](char c) { return ascii::is_alphanumeric(c) || c == '_' || c == '.' || c == '-'; });
}

void add_tags(std::vector<std::string>& ids, std::vector<std::string> more) {
  std::unordered_set<std::string> known(ids.begin(), ids.end());
  for (auto& id : more) {
    if (known.insert(id).second) ids.push_back(std::move(id));
  }
}

bool is_tag_id(std::string_view id) {
  return !id.empty() && id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string_view::npos;
}

bool lacks_version(std::string_view license_id) {
  return std::any_of(kLicenses.begin(), kLicenses.end(), [&](const License& row) {
    return row.name_id.size() == license_id.size() + 4 && row.name_id.starts_with(license_id) &&
           row.name_id[license_id.size()] == '-';
  });
}

bool is_speech(const Track& track) {
  return track.kind == Kind::sfx && track.category && kCategories[*track.category].group_code == "sp";
}

std::variant<Candidate, Rejection> check(Line line, const CheckOptions& options) {
  Candidate candidate;
  auto& track = candidate.track;
  const auto all = [&]() -> MaybeRejection {
    if (!is_track_id(line.id)) return rejection(Reason::id_invalid, "id must be <source_prefix>-<digits>");
    track.id = line.id;
    if (auto found = set_names(line, track)) return found;
    if (auto found = set_texts(line, options, track)) return found;
    if (auto found = set_duration(line, options, track)) return found;
    if (auto found = set_numbers(line, track)) return found;
    if (auto found = set_key_and_date(line, track)) return found;
    if (auto found = set_tags(line, track)) return found;
    if (auto found = set_urls(line, options, track)) return found;
    if (line.neighbors && line.neighbors->size() > kGivenNeighborsMax) {
      return rejection(Reason::too_many_neighbors, "neighbors contains more than 200 ids");
    }
    // The license is last: a rejection by policy must not hide a broken rule.
    return set_license(line, options, track);
  }();
  if (all) return Rejection{all->reason, all->message, text::quotable(line.id)};
  set_flags(line, track);
  track.audio = std::move(line.audio);
  candidate.neighbor_ids = std::move(line.neighbors);
  return candidate;
}

}  // namespace tonearm::builder
