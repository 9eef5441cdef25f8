#pragma once
// The lists of /v1/meta (META-1), read once when a snapshot is opened.

#include <functional>

#include "catalog/storage/extent.h"
#include "tonearm/catalog.h"

struct sqlite3;

namespace tonearm::catalog {

/// Names of the lists in the table `listing`.
std::string tag_list(Kind kind, Facet facet);
inline constexpr std::string_view kEnergyList = "energy";
inline constexpr std::string_view kToneList = "tone";
inline constexpr std::string_view kCategoryList = "category";
inline constexpr std::string_view kLicenseList = "license";
inline constexpr std::string_view kSourceList = "source";

/// Throws CatalogDamaged if a list contains an unknown or repeated value.
CatalogValues read_values(sqlite3* database);

/// META-3: returns creators in the order of the section whose folded name contains the folded `contains`.
std::vector<CreatorCount> read_creators(const Extent& section, std::string_view contains, std::size_t limit);
/// Precedes a creator's names in the section `creators`: the folded name, then its most frequent spelling.
struct CreatorHead {
  std::uint32_t tracks = 0;
  std::uint32_t folded_bytes = 0;
  std::uint32_t name_bytes = 0;

  std::uint64_t names_bytes() const { return std::uint64_t{folded_bytes} + name_bytes; }
};
/// Encodes one creator.
std::string encode_creator(const CreatorCount& creator, std::string_view folded);
/// Calls `visit(folded, name, count)` for each creator until it returns false.
using VisitCreator = std::function<bool(std::string_view, std::string_view, std::uint32_t)>;
void each_creator(const Extent& section, const VisitCreator& visit);

}  // namespace tonearm::catalog
