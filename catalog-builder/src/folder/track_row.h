#pragma once
// What one audio file is in the catalog: its id, kind, coarse words and quality, from statements and measurements.
// Pure.

#include <map>
#include <string>

#include "input/rows.h"
#include "mapping/mapping.h"
#include "measuring/measurements.h"

namespace tonearm::builder {

using FileFields = std::map<std::string, std::string, std::less<>>;

/// What a page says of the id: sounds of Freesound and tracks of Incompetech have the ids that their mappings give.
struct PageIdentity {
  std::string id_prefix;
  std::string key;
  bool is_number = false;
};
/// Nothing (an empty prefix) for other pages.
PageIdentity identity_of_page(const std::string& page);

/// The host without `www.`, in lower case; empty for what is no address.
std::string host_of(const std::string& page);

/// What is stated comes first, then what was measured (BUILD-12). `fallback_kind` may be empty.
Row row_of(const FileFields& stated, const audio::Measurements& measured, const std::string& path,
           const std::string& fallback_kind, const FacetWords& words);

/// 0 to 1000: clipping, a narrow band, silence and faintness lower it.
std::uint32_t quality_of(const audio::Measurements& measured);

/// Whether a stated tempo is neither the measured one, within 4 %, nor its half or double.
bool tempo_differs(const std::string& stated, std::uint32_t bpm_hundredths);

}  // namespace tonearm::builder
