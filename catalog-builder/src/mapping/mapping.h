#pragma once
// A mapping declares how the files of a real source become canonical lines (docs/guide/sources.md describes the
// format).

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

/// The origin of a value (constant, text_template or column) and the steps that are applied to it, in the order of the
/// members.
struct FieldRule {
  std::optional<std::string> constant;
  /// "https://a.example/{file}": values are percent-encoded; "{+path}" keeps slashes. No value if a column is empty.
  std::string text_template;
  std::string column;
  std::vector<boost::regex> remove;           // each match is removed
  std::optional<boost::regex> pattern;        // the first match; its first group, if any, is the value
  std::map<std::string, std::string> values;  // if not empty, unlisted values are dropped
  enum class Form : std::uint8_t { text, clock, number, milliseconds, date } form = Form::text;
  std::optional<std::uint64_t> max;  // greater numbers are dropped and counted as repairs
};

/// A column of words that become tags, tones or energies.
struct TagRule {
  std::string column;
  std::optional<boost::regex> pattern;  // the first group is the word; other values are ignored
  std::optional<boost::regex> split;
  bool remove_doubling = false;  // "HolidayHoliday" becomes "Holiday"
  std::string vocabulary;        // of the mapping, searched first; empty: none
  std::vector<Facet> facets;     // their vocabularies (data/) are searched next, the words of this source first
  std::optional<Facet> facet;    // of unlisted words; without it they are only searchable
  bool is_searchable = true;     // otherwise unlisted words without a facet are dropped
};

/// The first rule whose pattern matches the license text applies.
struct LicenseRule {
  boost::regex match;
  std::string id;  // empty: the row is rejected
  std::string rejection_message;
  Reason reason = Reason::license_not_offered;
};

/// Files with the same layout.
struct FileRule {
  std::vector<std::string> files;  // each name may contain one `*`
  RowLayout layout;
  bool optional = false;

  /// Whether both name the same rows.
  bool is_same(const FileRule& other) const;
};

struct JoinRule {
  FileRule file;
  std::string on;      // a column of the row
  std::string to;      // the column of the joined file with the same value
  std::string prefix;  // of the joined columns: "release."; never empty, so that no column of the row is replaced
  std::string where;   // the location of `to`
};

/// Restricts an input to rows in whose column the pattern is found.
struct OnlyRule {
  std::string column;
  boost::regex pattern;
};

/// Finds recordings, perhaps of other sources, that the row's recording was cut, copied or mixed from.
struct MadeFromRule {
  std::string column;
  boost::regex number;  // the first group of each match is the number of a recording
  std::string id_prefix;
};

/// A column that the mapping names, and its location: "mine.toml:12: input[0].fields.title.column".
struct ColumnReference {
  std::string column;
  std::string where;
};

struct InputRule {
  FileRule file;
  std::string key;  // the column of the stable key that the id is made from
  /// Finds the source's own number in the key: its first group becomes the number of the id.
  std::optional<boost::regex> number;
  std::optional<boost::regex> key_pattern;  // its first group is the key
  std::vector<MadeFromRule> made_from;      // the matches of all rules
  std::vector<OnlyRule> only;               // all must match
  std::string domain;                       // these three default to those of the mapping
  std::string id_prefix;
  Kind kind = Kind::music;
  std::vector<JoinRule> joins;
  std::map<std::string, std::vector<FieldRule>> fields;  // by canonical key, except the license; the first value counts
  std::vector<FieldRule> license;                        // each may state a license; if they differ, none counts
  std::vector<TagRule> tags;
  std::vector<ColumnReference> columns;  // all columns that are read
  /// The columns that the license depends on, including the keys of joins.
  std::vector<std::string> license_columns;
};

struct Mapping {
  std::string name;
  std::string domain;
  std::string source_name;
  bool undo_double_encoding = false;
  bool html = false;  // decodes character references, and strips tags from descriptions
  /// Its rows add tags and category to tracks of the same id, in any order of inputs. They become tracks only if no
  /// other row has the id.
  bool supplement = false;
  std::vector<InputRule> inputs;
  std::vector<LicenseRule> licenses;
  std::map<std::string, Vocabulary> vocabularies;  // words case-folded
  FacetWords facet_words;
  TagLabels labels;
};

/// The canonical keys that `fields` may contain. Each may be an array of rules.
inline constexpr std::array<std::string_view, 22> kMappedFields{
    "kind",       "title",         "artist",    "description", "duration_s",  "bpm",         "vocals",  "key",
    "category",   "loudness_lufs", "energy",    "tone",        "loop",        "quality",     "license", "credit_as",
    "content_id", "source",        "published", "source_page", "preview_url", "original_url"};

/// Throws Failure with the location of the first error.
Mapping parse_mapping(std::string_view text, const std::string& name);

/// Returns a built-in source by its name, or reads the file if `name` ends in ".toml". Throws Failure.
Mapping find_mapping(const std::string& name);

/// The labels of tags (data/genre.toml and others) and the names of sources (data/sources.toml) for every catalog.
struct BuiltInLabels {
  TagLabels tags;
  std::map<std::string, std::string> sources;
};
BuiltInLabels built_in_labels();

}  // namespace tonearm::builder
