#pragma once
// The report of `tonearm credits` (CLI-11, CLI-12, CLI-26, CLI-29). Pure.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "output/listings.h"
#include "project/project_files.h"
#include "project/verdicts.h"

namespace tonearm::cli {

/// What PATH is.
enum class ReportKind : std::uint8_t { folder, edit, film };

struct CreditsReport {
  std::string path;  // as the user named it
  Use use = Use::commercial;
  std::string heading;            // CREDIT-14; empty: the default
  std::vector<JudgedFile> files;  // of a film: a row for each track, with the path of the film
  std::vector<SkippedEntry> skipped;
  std::uint64_t other_files = 0;
  ReportKind kind = ReportKind::folder;  // also of one audio file
};

/// Returns whether every file is allowed and everything that may contain audio was checked; of a film also, whether a
/// track was recognized.
bool is_clean(const CreditsReport& report);

/// Formats a table of the files and the credits. Skipped files and the total are notes.
Listing report_table(const CreditsReport& report, const Screen& screen);
/// Formats the report as JSON.
std::string report_json(const CreditsReport& report);
/// Formats only the credits, in a format of `table::kCreditsFiles`. Files that are not allowed are notes.
Listing report_credits(const CreditsReport& report, std::string_view format);
/// Formats each use of a file in an edit, or of a track in a film, as a row of CSV, by time (CLI-26), with the notes of
/// `report_credits`.
Listing report_cue_sheet(const CreditsReport& report);

}  // namespace tonearm::cli
