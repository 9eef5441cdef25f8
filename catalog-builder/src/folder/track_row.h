#pragma once
// Derives the row of an audio file from statements and measurements: kind, coarse words, quality, and the identity of
// its page. Pure.

#include <map>
#include <string>

#include "input/rows.h"
#include "mapping/mapping.h"
#include "measuring/measurements.h"

namespace tonearm::builder {

using FileFields = std::map<std::string, std::string, std::less<>>;

/// The identity in the URL of a page: sounds of Freesound and tracks of Incompetech have the ids of their mappings.
struct PageIdentity {
  std::string id_prefix;
  std::string key;
  bool is_number = false;
};
/// Returns an empty prefix for other pages.
PageIdentity identity_of_page(const std::string& page);

/// Returns the host in lower case without `www.`, or an empty text if the page is not a URL.
std::string host_of(const std::string& page);

/// Statements take precedence over measurements (BUILD-12). `fallback_kind` may be empty.
Row row_of(const FileFields& stated, const audio::Measurements& measured, const std::string& path,
           const std::string& fallback_kind, const FacetWords& words);

/// Returns 0 to 1000. Clipping, a narrow bandwidth, silence and a low level reduce it.
std::uint32_t quality_of(const audio::Measurements& measured);

/// Returns whether a stated tempo differs by more than 4 % from the measured one, its half and its double.
bool tempo_differs(const std::string& stated, std::uint32_t bpm_hundredths);

}  // namespace tonearm::builder
