#pragma once
// Recordings that Debian packages carry, each with its own license: data/demo_recordings.toml names them, the package
// says who made them and what is allowed.
//
// A license is never assumed: it is that of the last stanza of the package's machine-readable copyright file whose
// `Files` match the recording (DEP-5), if that stanza names recordings and not the whole package; or, where no such
// stanza does, that of the package's own list of the samples' origins, if the list says CC0 of all that it names.
// What is under another license than CC0, CC BY or CC BY-NC is left out.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tonearm::builder::demo {

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

struct LeftOut {
  std::string name;
  std::string reason;
};

struct Recordings {
  std::vector<Recording> kept;
  std::vector<LeftOut> left_out;
};

/// `root` stands before the paths of the packages: empty, but in tests.
Recordings find_recordings(const std::string& root);

/// All of a file; empty where there is none.
std::string file_bytes(const std::string& path);

/// What a copyright file says of one file.
struct Statement {
  std::string artist;
  std::string license;  // as it stands there
  std::string page;     // may be empty
};

/// The statement of the stanza that names the file; none where only `Files: *` covers it.
std::optional<Statement> statement_of(std::string_view copyright, std::string_view file);

/// The line of a list of origins, "* `:name` - http://freesound.org/people/WHO/sounds/N/"; none where the list does not
/// dedicate its samples by CC0, or does not name this one.
std::optional<Statement> listed_statement(std::string_view list, std::string_view sample);

/// "CC0" is CC0-1.0 and "CC-BY-4.0" CC-BY-4.0; empty: not a license of the demo.
std::string license_id(std::string_view name);

/// Whether a DEP-5 pattern matches: `*` any text, `?` any character (one, of any number of bytes).
bool matches(std::string_view pattern, std::string_view path);

}  // namespace tonearm::builder::demo
