#pragma once
// What a file tells of the track that it is (CREDIT-12, CLI-8).

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
  double duration_s = 0;    // 0: not known
  bool is_readable = true;  // false: not even its bytes
  std::string trouble{};    // why something is missing; empty: nothing is
};

Evidence evidence_of(const ProjectFile& file);

/// Of all of them, on all processors. `heard` is told how many are done, from any thread, one call at a time.
std::vector<Evidence> gather_evidence(std::span<const ProjectFile> files,
                                      const std::function<void(std::size_t)>& heard);

}  // namespace tonearm::cli
