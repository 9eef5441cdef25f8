#pragma once
// `tonearm-catalog build`: inputs to a published snapshot.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/report.h"
#include "system/progress.h"
#include "tonearm/ports.h"

namespace tonearm::builder {

/// One `--input FILE` or `--source NAME:PATH`, in the order of the command line: the first track of an id stays.
struct InputChoice {
  std::string source;  // empty: canonical lines
  std::string path;
};

/// `--source folder:DIR` is a folder of audio; every other name is that of a mapping.
inline constexpr std::string_view kFolderSource = "folder";

/// The files that its tracks come from. Throws Failure for a source that does not exist.
std::vector<std::string> files_of(const InputChoice& input);

struct BuildOptions {
  std::vector<InputChoice> inputs;
  std::string output;
  std::string report;  // empty: none
  bool strict = false;
  bool evaluation = false;
  bool allow_share_alike = false;
  std::string policy;                   // empty: none
  std::string links = {};               // results of check-links; empty: none
  std::optional<std::string> synonyms;  // none: the built-in table
  std::string site_url = "http://127.0.0.1:8080";
  std::string media_url;          // empty: the site's /media
  std::string media_output = {};  // of previews and waveforms of folders; empty: none are written
  std::string measurements = {};  // the cache of audio measurements; empty: OUTPUT.measurements
  std::string earlier = {};       // a snapshot of an earlier build, to save time; empty: the one at `output`
  std::string signing_key = {};   // a file; empty: the snapshot is not signed
};

/// Throws Failure if it makes no snapshot, and then leaves the file at `output` as it was (BUILD-2). The report is
/// written in either case, unless the inputs could not be read.
Report build_catalog(const BuildOptions& options, Hashing& hashing, native::Progress& progress);
Report build_catalog(const BuildOptions& options, Hashing& hashing);

}  // namespace tonearm::builder
