#pragma once
// A mapping: how a real source's files become canonical lines, as data (docs/guide/sources.md describes the form).

#include <array>
#include <boost/regex.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "canonical/line.h"
#include "input/rows.h"
#include "mapping/vocabulary.h"
#include "tonearm/track.h"

namespace tonearm::builder {

/// Where a value comes from (the first of constant, text_template, column that is given), and what is done to it, in
/// the order of the members.
struct FieldRule {
  std::optional<std::string> constant;
  /// "https://a.example/{file}": values percent-encoded; with "{+path}" slashes stay. None where a column is empty.
  std::string text_template;
  std::string column;
  std::vector<boost::regex> remove;           // each match is cut out
  std::optional<boost::regex> pattern;        // of the first value that it finds, the first group, or the whole, stays
  std::map<std::string, std::string> values;  // where given, a value that is not listed is none
  enum class Form : std::uint8_t { text, clock, number, milliseconds } form = Form::text;
  std::optional<std::uint64_t> max;  // numbers above it are none, and counted as a repair
};

/// A column of words that become tags, or a tone or an energy.
struct TagRule {
  std::string column;
  std::optional<boost::regex> pattern;  // of each value: the first group is the word; what does not fit is no word
  std::optional<boost::regex> split;
  bool remove_doubling = false;  // "HolidayHoliday" is "Holiday"
  std::string vocabulary;        // of the mapping, asked first; empty: none
  std::vector<Facet> facets;     // whose vocabularies (data/) are asked next, the source's own words before all others
  std::optional<Facet> facet;    // of words that none of them lists; without one they are dropped and counted
};

/// The first rule whose pattern is found in the license text decides.
struct LicenseRule {
  boost::regex match;
  std::string id;                 // empty: the row is left out
  std::string rejection_message;  // why
  Reason reason = Reason::license_not_offered;
};

/// Files of one form.
struct FileRule {
  std::vector<std::string> files;  // the name of each may hold one `*`
  RowLayout form;
  bool optional = false;

  /// Whether both mean the same rows.
  bool is_same(const FileRule& other) const;
};

struct JoinRule {
  FileRule file;
  std::string on;      // a column of the row
  std::string to;      // the column of the joined file that equals it
  std::string prefix;  // of the joined columns: "release."; never empty, so that none takes the place of the row's
  std::string where;   // it names `to`
};

/// Rows whose column the pattern does not find are none of the input's.
struct OnlyRule {
  std::string column;
  boost::regex pattern;
};

/// Where a row names recordings that its own was cut, copied or mixed from, which may be in other sources.
struct MadeFromRule {
  std::string column;
  boost::regex number;  // wherever it is found, its first group is the number of such a recording
  std::string id_prefix;
};

/// A column that the mapping names, and where it does: "mine.toml:12: input[0].fields.title.column".
struct ColumnReference {
  std::string column;
  std::string where;
};

struct InputRule {
  FileRule file;
  std::string key;  // the column with the stable key that the id is made from
  /// The source has numbers of its own: the first group, found in the column, is that of the id.
  std::optional<boost::regex> number;
  std::optional<boost::regex> key_pattern;  // its first group, found in the column, is the key
  std::vector<MadeFromRule> made_from;      // all that any of them finds
  std::vector<OnlyRule> only;               // all of them
  std::string domain;                       // these three are the mapping's where the input names none
  std::string id_prefix;
  Kind kind = Kind::music;
  std::vector<JoinRule> joins;
  std::map<std::string, std::vector<FieldRule>> fields;  // by the canonical key, but for the license: the first value
  std::vector<FieldRule> license;                        // each may state one; where they differ none is taken
  std::vector<TagRule> tags;
  std::vector<ColumnReference> columns;  // all that are read
  /// What the license depends on: the columns that it is read from, and those that joins find such a column by.
  std::vector<std::string> license_columns;
};

struct Mapping {
  std::string name;
  std::string domain;
  std::string source_name;
  bool undo_double_encoding = false;
  bool html = false;  // character references become characters, tags of a description go
  /// Its rows give tags and category to tracks of the same id, in whatever order the inputs are read; they are tracks
  /// themselves only where no other row is.
  bool supplement = false;
  std::vector<InputRule> inputs;
  std::vector<LicenseRule> licenses;
  std::map<std::string, Vocabulary> vocabularies;  // words case-folded
  FacetWords facet_words;
  TagLabels labels;
};

/// The canonical keys that `fields` may name. Each may be an array of rules.
inline constexpr std::array<std::string_view, 16> kMappedFields{
    "kind", "title", "artist",  "description", "duration_s", "bpm",         "category",    "energy",
    "tone", "loop",  "quality", "license",     "source",     "source_page", "preview_url", "original_url"};

/// Throws Failure, saying where, for anything that is not understood.
Mapping parse_mapping(std::string_view text, const std::string& name);

/// A built-in source by its name, or the file where `name` ends in ".toml". Throws Failure.
Mapping find_mapping(const std::string& name);

/// The labels of tags (data/genre.toml and the others) and names of sources (data/sources.toml) for every catalog.
struct BuiltInLabels {
  TagLabels tags;
  std::map<std::string, std::string> sources;
};
BuiltInLabels built_in_labels();

}  // namespace tonearm::builder
