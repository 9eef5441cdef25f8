#pragma once
// The `fields` parameter: which parts of a rendered track an answer holds (C4.13). Pure, thread-safe.

#include <string>
#include <vector>

#include "tonearm/catalog.h"

namespace tonearm::api {

class Projection {
 public:
  /// `paths`: those that the request named, each one of table::track_paths().
  explicit Projection(const std::vector<std::string>& paths);

  /// The JSON of the chosen parts, in the order of the Track type.
  std::string apply(const RenderedTrack& track) const;

 private:
  struct Part {
    std::size_t path = 0;  // index into track_paths()
    std::string_view key;
    std::vector<Part> children;  // empty: the whole value
  };
  static void write(std::string& out, const std::vector<Part>& parts, const RenderedTrack& track);

  std::vector<Part> parts_;
  std::string untrusted_;  // JSON of untrusted_fields
};

}  // namespace tonearm::api
