#include "catalog/index/facets.h"

#include <algorithm>
#include <array>

#include "catalog/index/hash.h"
#include "catalog/storage/statement.h"
#include "tonearm/ascii.h"

namespace tonearm::catalog {

namespace {

constexpr std::string_view kText("w\0", 2);
constexpr std::string_view kFacet("f\0", 2);

}  // namespace

std::string text_key(std::string_view stem) { return std::string(kText).append(stem); }

bool is_text_key(std::string_view key) { return key.starts_with(kText); }

std::uint64_t term_hash(std::string_view key) {
  static constexpr std::array kFewValues{kLengthFacet,  kEnergyFacet,      kToneFacet,    kLoopFacet,
                                         kQualityFacet, kAttributionFacet, kLicenseFacet, kCategoryFacet,
                                         kVocalsFacet,  kPlayableFacet};
  const std::size_t end = is_text_key(key) ? std::string_view::npos : key.find('\0', 2);
  if (end == std::string_view::npos) return hash64(key.substr(std::min<std::size_t>(2, key.size())));
  const std::string_view facet = key.substr(2, end - 2);
  const bool has_few = std::find(kFewValues.begin(), kFewValues.end(), facet) != kFewValues.end();
  return hash64(has_few ? facet : key.substr(end + 1));
}

std::string facet_key(std::string_view facet, std::string_view value) {
  std::string key(kFacet);
  key.append(facet).push_back('\0');
  return key.append(value);
}

LengthBucket length_bucket(Kind kind, std::uint64_t duration_ms) {
  // Upper bounds: exclusive for the first two lengths, inclusive for the third.
  static constexpr std::array<std::array<std::uint64_t, 3>, 2> kBounds{
      {{30'000, 120'000, 300'000}, {2'000, 10'000, 30'000}}};
  const auto& bounds = kBounds[static_cast<std::size_t>(kind)];
  if (duration_ms < bounds[0]) return LengthBucket::xs;
  if (duration_ms < bounds[1]) return LengthBucket::s;
  return duration_ms <= bounds[2] ? LengthBucket::m : LengthBucket::l;
}

bool is_speech(const Track& track) {
  return track.kind == Kind::sfx && track.category && kCategories[*track.category].top_id == kSpeechGroup;
}

std::uint16_t encode_flags(const Flags& flags) {
  const unsigned vocals = flags.vocals ? static_cast<unsigned>(*flags.vocals) + 1 : 0;
  return static_cast<std::uint16_t>((flags.loop ? 1U : 0U) | static_cast<unsigned>(flags.attribution) << 1U |
                                    static_cast<unsigned>(flags.license) << 3U | vocals << 8U);
}

Flags decode_flags(std::uint16_t number) {
  const unsigned attribution = number >> 1U & 3U;
  const unsigned license = number >> 3U & 31U;
  const unsigned vocals = number >> 8U;
  if (attribution > static_cast<unsigned>(Attribution::required) || license >= kLicenses.size() ||
      vocals > kVocalsNames.size()) {
    throw_damaged("a track has unknown flags");
  }
  Flags flags{(number & 1U) != 0, static_cast<Attribution>(attribution), static_cast<LicenseId>(license), {}};
  if (vocals > 0) flags.vocals = static_cast<Vocals>(vocals - 1);
  return flags;
}

std::string default_label(std::string_view tag) {
  std::string label;
  bool begins = true;
  for (const char c : tag) {
    label.push_back(c == '_' ? ' ' : begins ? ascii::to_upper(c) : c);
    begins = c == '_' || c == '-';
  }
  return label;
}

bool is_listed(Kind kind, Facet facet) {
  if (facet == Facet::use) return true;
  return (facet == Facet::sfx) == (kind == Kind::sfx);
}

}  // namespace tonearm::catalog
