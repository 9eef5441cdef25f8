#pragma once
// The evidence in a file that identifies its track (CREDIT-12, CLI-8).

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "project/project_files.h"

namespace tonearm::cli {

struct Evidence {
  std::string sha256;       // in hex; empty: none
  std::string fingerprint;  // compressed, in base64, of the first two minutes; empty: none
  double duration_s = 0;    // 0: unknown
  bool is_readable = true;  // false: not even its bytes are readable
  std::string problem{};    // why something is missing; empty: nothing is missing
};

Evidence evidence_of(const ProjectFile& file);

/// Reads the evidence of all files on all processors. Calls `on_done` with the number of finished files, from any
/// thread, one call at a time.
std::vector<Evidence> gather_evidence(std::span<const ProjectFile> files,
                                      const std::function<void(std::size_t)>& on_done);

}  // namespace tonearm::cli
