#pragma once
// The report of `tonearm credits` (CLI-11, CLI-12). Pure.

#include <string>
#include <string_view>
#include <vector>

#include "output/listings.h"
#include "project/project_files.h"
#include "project/verdicts.h"

namespace tonearm::cli {

struct CreditsReport {
  std::string path;  // as the user named it
  Use use = Use::commercial;
  std::string heading;  // CREDIT-14; empty: ours
  std::vector<JudgedFile> files;
  std::vector<SkippedEntry> skipped;
  std::uint64_t other_files = 0;
};

/// Whether each file is allowed, and nothing that may hold audio was left unseen.
bool is_clean(const CreditsReport& report);

/// A table of the files, the credits behind it; left out files and the sum as notes.
Listing report_table(const CreditsReport& report, const Screen& screen);
std::string report_json(const CreditsReport& report);
/// The credits alone, in one of `table::kCreditsFiles`; a line for each file that is not allowed as notes.
Listing report_credits(const CreditsReport& report, std::string_view format);

}  // namespace tonearm::cli
