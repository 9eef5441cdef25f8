#pragma once
// The keys of the term dictionary, and small rules that the writer and the readers share. Pure, thread-safe.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tonearm/search.h"
#include "tonearm/track.h"

namespace tonearm::catalog {

inline constexpr std::string_view kLengthFacet = "length";
inline constexpr std::string_view kEnergyFacet = "energy";
inline constexpr std::string_view kToneFacet = "tone";
inline constexpr std::string_view kLoopFacet = "loop";
inline constexpr std::string_view kQualityFacet = "quality";
inline constexpr std::string_view kLicenseFacet = "license";
inline constexpr std::string_view kAttributionFacet = "attribution";
inline constexpr std::string_view kCategoryFacet = "category";
inline constexpr std::string_view kCreatorFacet = "creator";
inline constexpr std::string_view kSourceFacet = "source";
inline constexpr std::string_view kVocalsFacet = "vocals";
inline constexpr std::string_view kPlayableFacet = "playable";
/// The only value of boolean facets.
inline constexpr std::string_view kYes = "yes";

/// FILTER-7
inline constexpr std::uint16_t kGoodQuality = 500;

/// Keys of the section `terms`.
std::string text_key(std::string_view stem);
bool is_text_key(std::string_view key);
/// Terms are sorted by this hash of their keys, which makes terms that a search reads together adjacent: a text term
/// and the tags of the same name, and all values of a facet with few values.
std::uint64_t term_hash(std::string_view key);
std::string facet_key(std::string_view facet, std::string_view value);

/// FILTER-5
LengthBucket length_bucket(Kind kind, std::uint64_t duration_ms);

/// SEARCH-7
bool is_speech(const Track& track);

/// License, attribution, loop and vocals of a track, encoded as one number of the column `flags`.
struct Flags {
  bool loop = false;
  Attribution attribution = Attribution::optional;
  LicenseId license = LicenseId::cc0;
  std::optional<Vocals> vocals;
};
std::uint16_t encode_flags(const Flags& flags);
/// Throws CatalogDamaged for a number that `encode_flags` never returns.
Flags decode_flags(std::uint16_t number);

/// Derives a label from a tag that has none: "hip-hop" gives "Hip-Hop", "sci_fi" gives "Sci Fi".
std::string default_label(std::string_view tag);

/// Whether /v1/meta lists the facet's values for the kind (META-2).
bool is_listed(Kind kind, Facet facet);

}  // namespace tonearm::catalog
