#pragma once
// Finds the tracks of files in the catalog (CREDIT-12, CREDIT-20 to CREDIT-28). The rules in domain/file_names.h and
// domain/file_match.h judge the evidence. This module queries the catalog for all files together: by fingerprint, hash,
// address and id, then by name for the files that are left. Throws Failure if the catalog cannot be read.

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

/// Returns the track of each file, or nothing for files without one.
std::vector<std::optional<FileMatch>> match_files(const Catalog& catalog, std::span<const table::FileBody> files);

}  // namespace tonearm::api
