#pragma once
// Applies the `fields` parameter: selects the fields of rendered tracks (FIELDS-1). Pure, thread-safe.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tonearm/catalog.h"

namespace tonearm::api {

class Projection {
 public:
  /// `paths`: the paths in the request. REQUIRES: each is one of table::track_paths().
  explicit Projection(const std::vector<std::string>& paths);

  /// Returns the JSON of the chosen fields, in the order of the Track type.
  std::string apply(const RenderedTrack& track) const;

 private:
  struct ChosenField {
    std::size_t path = 0;  // index into track_paths()
    std::string_view key;
    std::vector<ChosenField> children;  // empty: the whole value
  };
  static void write(std::string& out, const std::vector<ChosenField>& fields, const RenderedTrack& track);

  std::vector<ChosenField> fields_;
  std::string untrusted_;  // JSON of untrusted_fields
};

/// The JSON of several tracks, whole or with the fields in `paths`. If variants are collapsed, each track has the
/// number of its variants (SEARCH-12).
class ChosenFields {
 public:
  /// `variants`: the number for each track, or empty. REQUIRES: the data behind `tracks` outlives the object.
  ChosenFields(const std::vector<RenderedTrack>& tracks, const std::vector<std::string>& paths,
               std::span<const std::uint32_t> variants = {});
  ChosenFields(const ChosenFields&) = delete;
  ChosenFields& operator=(const ChosenFields&) = delete;

  const std::vector<std::string_view>& fields_of_each() const { return fields_of_each_; }

 private:
  std::vector<std::string> chosen_;  // storage of `fields_of_each_` that is not the catalog's
  std::vector<std::string_view> fields_of_each_;
};

}  // namespace tonearm::api
