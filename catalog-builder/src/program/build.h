#pragma once
// `tonearm-catalog build`: builds a snapshot from inputs and publishes it.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/report.h"
#include "system/progress.h"
#include "tonearm/ports.h"

namespace tonearm::builder {

/// An `--input FILE` or `--source NAME:PATH`. The order matters: the first track of an id counts.
struct InputChoice {
  std::string source;  // empty: canonical lines
  std::string path;
};

/// `--source folder:DIR` reads a folder of audio. Other names are mappings.
inline constexpr std::string_view kFolderSource = "folder";

/// Returns the files of an input. Throws Failure for an unknown source.
std::vector<std::string> files_of(const InputChoice& input);

struct BuildOptions {
  std::vector<InputChoice> inputs;
  std::string output;
  std::string report;  // empty: none
  bool strict = false;
  bool evaluation = false;
  bool allow_share_alike = false;
  std::string policy;                   // empty: none
  std::string take_downs = {};          // TAKEDOWN-4; empty: none
  std::string links = {};               // results of check-links; empty: none
  std::optional<std::string> synonyms;  // none: the built-in thesaurus
  std::string site_url = "http://127.0.0.1:8080";
  std::string media_url;           // empty: the site's /media
  std::string media_output = {};   // folder for previews and waveforms; empty: none are written
  std::string measurements = {};   // the cache of audio measurements; empty: OUTPUT.measurements
  std::string earlier = {};        // a snapshot of an earlier build, which saves time; empty: the one at `output`
  std::string changes_since = {};  // the snapshot before, whose changes the new one states; empty: none
  std::string signing_key = {};    // a file; empty: the snapshot is not signed
  std::string signed_on = {};      // the day of the signature, "2026-01-15"; empty: today (UTC)
};

/// Builds a snapshot and fills the empty `report`, also if it throws Failure. Then the file at `output` is unchanged
/// (BUILD-2). The file of the report is written in either case, unless an input is not readable.
void build_catalog(const BuildOptions& options, Hashing& hashing, native::Progress& progress, Report& report);
/// Does the same without progress, and returns the report.
Report build_catalog(const BuildOptions& options, Hashing& hashing);

}  // namespace tonearm::builder
