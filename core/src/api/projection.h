#pragma once
// The `fields` parameter: which parts of a rendered track an answer holds (FIELDS-1). Pure, thread-safe.

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

/// The JSON of several tracks: whole, or the fields that `paths` names.
class ChosenFields {
 public:
  /// REQUIRES: what the tracks are views of lives longer.
  ChosenFields(const std::vector<RenderedTrack>& tracks, const std::vector<std::string>& paths);
  ChosenFields(const ChosenFields&) = delete;
  ChosenFields& operator=(const ChosenFields&) = delete;

  const std::vector<std::string_view>& of_each() const { return of_each_; }

 private:
  std::vector<std::string> chosen_;  // what `of_each_` looks at where only parts are asked for
  std::vector<std::string_view> of_each_;
};

}  // namespace tonearm::api
