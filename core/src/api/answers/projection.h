#pragma once
// The `fields` parameter: which parts of a rendered track an answer holds (FIELDS-1). Pure, thread-safe.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tonearm/catalog.h"

namespace tonearm::api {

class Projection {
 public:
  /// `paths`: those that the request named, each one of table::track_paths().
  explicit Projection(const std::vector<std::string>& paths);

  /// The JSON of the chosen fields, in the order of the Track type.
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

/// The JSON of several tracks: whole, or the fields that `paths` names. Where variants are collapsed, each also says
/// how many it stands for (SEARCH-12).
class ChosenFields {
 public:
  /// `variants`: of each track, or none. REQUIRES: what the tracks are views of lives longer.
  ChosenFields(const std::vector<RenderedTrack>& tracks, const std::vector<std::string>& paths,
               std::span<const std::uint32_t> variants = {});
  ChosenFields(const ChosenFields&) = delete;
  ChosenFields& operator=(const ChosenFields&) = delete;

  const std::vector<std::string_view>& of_each() const { return of_each_; }

 private:
  std::vector<std::string> chosen_;  // what `of_each_` looks at where it is not what the catalog stores
  std::vector<std::string_view> of_each_;
};

}  // namespace tonearm::api
