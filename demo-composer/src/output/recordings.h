#pragma once
// Recordings from Debian packages, each with its own license. data/recordings.toml names the files; the packages state
// who made them and under which license.
//
// A license is never assumed. It comes from the last stanza of the package's machine-readable copyright file (DEP-5)
// whose `Files` match the recording by more than `*`, or else from the package's own list of origins if that list
// dedicates its samples by CC0. Recordings under licenses other than CC0, CC BY and CC BY-NC are rejected.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::demo {

struct Recording {
  std::string package;
  std::string path;  // the installed file
  std::string name;  // in the demo: "sonic-pi-samples/drum_roll.flac"
  std::string title;
  std::string artist;
  std::string license;  // an id such as "CC0-1.0"
  std::string page;
  std::string category;
  std::vector<std::string> tags;  // of sound effects
};

struct RejectedRecording {
  std::string name;
  std::string reason;
};

struct Recordings {
  std::vector<Recording> accepted;
  std::vector<RejectedRecording> rejected;
};

/// Finds the installed recordings. `root` is a prefix of the package paths, for tests.
Recordings find_recordings(const std::string& root);

/// What a package states about one file.
struct Attribution {
  std::string artist;
  std::string license;  // as the package states it
  std::string page;     // may be empty
};

/// Returns the attribution in the stanza that names the file, or nothing if only `Files: *` matches.
std::optional<Attribution> attribution_in_copyright(std::string_view copyright, std::string_view file);

/// Returns the attribution in a list of origins with lines "* `:name` - http://freesound.org/people/ARTIST/sounds/N/".
/// Returns nothing if the list does not dedicate its samples by CC0 or does not name the sample.
std::optional<Attribution> attribution_in_list(std::string_view list, std::string_view sample);

/// Maps the name of a license to its id: "CC0" to "CC0-1.0". Returns an empty text for licenses that the demo rejects.
std::string license_id(std::string_view name);

}  // namespace tonearm::demo
