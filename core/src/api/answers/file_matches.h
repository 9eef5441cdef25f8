#pragma once
// Which tracks of a catalog files are (CREDIT-12, CREDIT-20 to CREDIT-28). What the evidence means is decided by the
// rules in domain/file_names.h and domain/file_match.h; this asks the catalog, for all files together: first by
// addresses and ids, then by names for the files that are left. Throws Failure if the catalog cannot be read.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "domain/file_match.h"
#include "table/bodies.h"
#include "tonearm/catalog.h"

namespace tonearm::api {

struct FileMatch {
  RenderedTrack track;
  std::uint32_t position = 0;
  FoundBy found_by = FoundBy::title;
  std::uint32_t score = 0;
};

/// For each file its track, or nothing.
std::vector<std::optional<FileMatch>> match_files(const Catalog& catalog, std::span<const table::FileBody> files);

}  // namespace tonearm::api
