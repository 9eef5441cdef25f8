#include "oracle_filters.h"

#include <algorithm>

#include "text/unicode.h"

namespace tonearm::test::oracle {

bool is_speech(const Track& track) {
  return track.kind == Kind::sfx && track.category && kCategories[*track.category].top_id == "speech";
}

std::vector<std::string> list(const std::string& value) {
  std::vector<std::string> items{""};
  for (const char c : value) {
    if (c == ',') {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  return items;
}

std::string encode(const std::string& text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    if (plain) {
      encoded += c;
    } else {
      encoded += '%';
      encoded += kDigits[byte >> 4U];
      encoded += kDigits[byte & 15U];
    }
  }
  return encoded;
}

std::string query_string(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    text += (text.empty() ? "?" : "&") + encode(name) + '=' + encode(value);
  }
  return text;
}

bool contains(const Parameters& parameters, const std::string& name) { return parameters.count(name) != 0; }

Parameters filters_of(const Parameters& parameters) {
  Parameters filters = parameters;
  for (const char* name : {"q", "match", "sort", "seed", "variants", "fields", "facets"}) filters.erase(name);
  return filters;
}

namespace {

/// Whether the parameter is absent or lists `value`.
bool allows(const Parameters& parameters, const std::string& name, const std::string& value) {
  if (!contains(parameters, name)) return true;
  const auto items = list(parameters.at(name));
  return std::find(items.begin(), items.end(), value) != items.end();
}

/// A decimal in thousandths.
std::uint64_t thousandths(const std::string& value) {
  const std::size_t point = value.find('.');
  std::string fraction = point == std::string::npos ? "" : value.substr(point + 1);
  fraction.resize(3, '0');
  return std::stoull(value.substr(0, point)) * 1000 + std::stoull(fraction);
}

bool in_range(const Parameters& parameters, const std::string& low, const std::string& high,
              std::uint64_t value_thousandths) {
  return (!contains(parameters, low) || value_thousandths >= thousandths(parameters.at(low))) &&
         (!contains(parameters, high) || value_thousandths <= thousandths(parameters.at(high)));
}

/// FILTER-5
std::string length_bucket(const Track& track) {
  const bool music = track.kind == Kind::music;
  const std::uint64_t ms = track.duration_ms;
  if (ms < (music ? 30'000U : 2'000U)) return "xs";
  if (ms < (music ? 120'000U : 10'000U)) return "s";
  return ms <= (music ? 300'000U : 30'000U) ? "m" : "l";
}

std::string attribution_of(const Track& track) {
  if (license(track.license).credit_required) return "required";
  return track.credit_requested ? "requested" : "optional";
}

/// The filters that searches and similar lists share.
bool passes_terms(const Track& track, const Parameters& parameters) {
  if (contains(parameters, "commercial") &&
      license(track.license).commercial != (parameters.at("commercial") == "true")) {
    return false;
  }
  const std::string credit = contains(parameters, "credit") ? parameters.at("credit") : "any";
  if (credit == "optional" && attribution_of(track) != "optional") return false;
  return credit != "requested" || attribution_of(track) != "optional";
}

bool passes_tempo(const Track& track, const Parameters& parameters) {
  if (!contains(parameters, "tempo")) return true;
  const std::string& tempo = parameters.at("tempo");
  const std::size_t dash = tempo.find('-');
  const std::uint64_t low = std::stoull(tempo.substr(0, dash)) * 100;
  const std::uint64_t high = std::stoull(tempo.substr(dash + 1)) * 100;
  return track.bpm_hundredths != 0 && low <= track.bpm_hundredths && track.bpm_hundredths <= high;
}

bool passes_tags(const Track& track, const Parameters& parameters) {
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    const std::string name(kFacetNames[facet]);
    if (!contains(parameters, name)) continue;
    const auto wanted = list(parameters.at(name));
    const auto& tags = track.tags[facet];
    if (std::none_of(tags.begin(), tags.end(),
                     [&](const auto& tag) { return std::find(wanted.begin(), wanted.end(), tag) != wanted.end(); })) {
      return false;
    }
  }
  return true;
}

bool passes_category(const Track& track, const Parameters& parameters) {
  // Search rule 3. A filter that selects other categories omits speech anyway.
  if (!contains(parameters, "category")) return !is_speech(track);
  if (!track.category) return false;
  const Category& category = kCategories[*track.category];
  return allows(parameters, "category", std::string(category.id)) ||
         allows(parameters, "category", std::string(category.top_id)) ||
         allows(parameters, "category", std::string(category.group_code));
}

bool passes_origin(const Track& track, const Parameters& parameters) {
  if (contains(parameters, "creator") && text::fold_case(parameters.at("creator")) != text::fold_case(track.artist)) {
    return false;
  }
  if (!contains(parameters, "source")) return true;
  const auto sources = list(parameters.at("source"));
  return std::any_of(sources.begin(), sources.end(),
                     [&](const auto& source) { return text::fold_case(source) == text::fold_case(track.source); });
}

/// FILTER-14
bool is_excluded(const Track& track, const Parameters& parameters) {
  if (contains(parameters, "exclude_source")) {
    for (const std::string& source : list(parameters.at("exclude_source"))) {
      if (text::fold_case(source) == text::fold_case(track.source)) return true;
    }
  }
  if (!contains(parameters, "exclude_tags")) return false;
  for (const std::string& tag : list(parameters.at("exclude_tags"))) {
    for (const auto& of_facet : track.tags) {
      if (std::find(of_facet.begin(), of_facet.end(), tag) != of_facet.end()) return true;
    }
  }
  return false;
}

/// FILTER-12
bool passes_vocals(const Track& track, const Parameters& parameters) {
  if (!contains(parameters, "vocals")) return true;
  return track.vocals && parameters.at("vocals") == (*track.vocals == Vocals::vocal ? "vocal" : "instrumental");
}

bool passes_marks(const Track& track, const Parameters& parameters) {
  const auto value = [&](const char* name) { return contains(parameters, name) ? parameters.at(name) : std::string(); };
  if ((value("loops") == "true" || value("loops") == "1") && !track.loop) return false;
  if (value("quality") == "good" && track.quality < 500) return false;
  if (value("playable") == "true" && track.preview_url.empty() && track.original_url.empty()) return false;
  if (contains(parameters, "energy") &&
      (!track.energy ||
       !allows(parameters, "energy", std::string(kEnergyNames[static_cast<std::size_t>(*track.energy)])))) {
    return false;
  }
  if (contains(parameters, "tone") &&
      (!track.tone || !allows(parameters, "tone", std::string(kToneNames[static_cast<std::size_t>(*track.tone)])))) {
    return false;
  }
  const License& terms = license(track.license);
  return allows(parameters, "license", std::string(terms.name_id)) &&
         (!contains(parameters, "share_alike") || terms.share_alike == (value("share_alike") == "true"));
}

/// The filters of similar lists, which searches also have (FILTER-11).
bool passes_bounds(const Track& track, const Parameters& parameters) {
  const bool asks_bpm = contains(parameters, "min_bpm") || contains(parameters, "max_bpm");
  if (asks_bpm && track.bpm_hundredths == 0) return false;  // FILTER-6
  return in_range(parameters, "min_bpm", "max_bpm", std::uint64_t{track.bpm_hundredths} * 10) &&
         in_range(parameters, "min_seconds", "max_seconds", track.duration_ms);
}

}  // namespace

bool passes_similar(const Track& track, const Parameters& parameters) {
  return passes_terms(track, parameters) && passes_bounds(track, parameters) && passes_vocals(track, parameters) &&
         (!contains(parameters, "loops_only") || parameters.at("loops_only") != "true" || track.loop);
}

bool passes_filters(const Track& track, const Parameters& parameters) {
  return passes_terms(track, parameters) && passes_tempo(track, parameters) && passes_bounds(track, parameters) &&
         passes_tags(track, parameters) && passes_category(track, parameters) && passes_origin(track, parameters) &&
         passes_marks(track, parameters) && passes_vocals(track, parameters) && !is_excluded(track, parameters) &&
         allows(parameters, "length", length_bucket(track));
}

}  // namespace tonearm::test::oracle
