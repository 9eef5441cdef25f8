#pragma once
// A mapping: how a real source's files become canonical lines, as data (docs/guide/sources.md describes the form).

#include <array>
#include <boost/regex.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rows.h"
#include "tonearm/track.h"

namespace tonearm::builder {

/// Where a value comes from (the first of constant, text_template, column that is given), and what is done to it, in
/// the order of the members.
struct FieldRule {
  std::optional<std::string> constant;
  std::string text_template;  // "https://a.example/{file}": values percent-encoded; none where a column is empty
  std::string column;
  std::vector<boost::regex> remove;           // each match is cut out
  std::optional<boost::regex> pattern;        // the first group, or the whole match, stays; no match: no value
  std::map<std::string, std::string> values;  // where given, a value that is not listed is none
  enum class Form : std::uint8_t { text, clock, number } form = Form::text;
  std::optional<std::uint64_t> max;  // numbers above it are none, and counted as a repair
};

/// A column of words that become tags, or a tone or an energy.
struct TagRule {
  std::string column;
  std::optional<boost::regex> split;
  std::string vocabulary;      // empty: none
  std::optional<Facet> facet;  // of words that the vocabulary does not list; without one they are dropped and counted
};

/// The first rule whose pattern is found in the license text decides.
struct LicenseRule {
  boost::regex match;
  std::string id;        // empty: the row is left out
  std::string left_out;  // why
};

struct FileRule {
  std::string file;
  RowFormat format = RowFormat::csv;
  std::string table;
};

struct JoinRule {
  FileRule file;
  std::string on;      // a column of the row
  std::string to;      // the column of the joined file that equals it
  std::string prefix;  // of the joined columns: "release."
};

struct InputRule {
  FileRule file;
  std::string key;  // the column with the stable key that the id is made from
  std::vector<JoinRule> joins;
  std::map<std::string, FieldRule> fields;  // by the canonical key
  std::vector<TagRule> tags;
  /// What the license depends on: the columns that it is read from, and those that joins find such a column by.
  std::vector<std::string> license_columns;
};

/// A vocabulary's targets are "facet:tag-id", "tone:dark" or "energy:calm"; none means that the word is ignored.
using Vocabulary = std::map<std::string, std::vector<std::string>>;

struct Mapping {
  std::string name;
  std::string domain;
  std::string source_name;
  std::string id_prefix;
  Kind kind = Kind::music;
  bool undo_double_encoding = false;
  std::vector<InputRule> inputs;
  std::vector<LicenseRule> licenses;
  std::map<std::string, Vocabulary> vocabularies;  // words case-folded
  std::array<std::map<std::string, std::string>, kFacetCount> labels;
};

/// The canonical keys that `fields` may name.
inline constexpr std::array<std::string_view, 13> kMappedFields{
    "title", "artist",  "description", "duration_s",  "bpm",         "category",    "energy",
    "tone",  "quality", "license",     "source_page", "preview_url", "original_url"};

/// Throws Failure, saying where, for anything that is not understood.
Mapping parse_mapping(std::string_view text, const std::string& name);

/// A built-in source by its name, or the file where `name` ends in ".toml". Throws Failure.
Mapping find_mapping(const std::string& name);

/// Labels of tags by facet and id, the tables `[labels.FACET]` of a file.
using TagLabels = std::array<std::map<std::string, std::string>, kFacetCount>;
/// The labels and names of sources that stand in force for every catalog (data/labels.toml).
struct BuiltInLabels {
  TagLabels tags;
  std::map<std::string, std::string> sources;
};
BuiltInLabels built_in_labels();

}  // namespace tonearm::builder
