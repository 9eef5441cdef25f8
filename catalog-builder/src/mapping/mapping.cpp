#include "mapping/mapping.h"

#include <algorithm>

#include "canonical/check.h"
#include "files/toml_table.h"
#include "input/text_file.h"
#include "runtime/embedded.h"
#include "settings/nearest.h"
#include "text/unicode.h"
#include "tonearm/result.h"
#include "values/url.h"

namespace tonearm::builder {
namespace {

using native::parse_toml;
using native::TomlTable;

boost::regex parse_regex(const TomlTable& table, std::string_view key, const std::string& text) {
  try {
    // ^ and $ match the ends of the text, not of its lines, because later lines of a cell may contradict the first.
    return boost::regex(text, boost::regex::perl | boost::regex::no_mod_m);
  } catch (const boost::regex_error& error) {
    table.fail(key, std::string("is not a regular expression: ") + error.what());
  }
}

std::optional<boost::regex> optional_regex(const TomlTable& table, std::string_view key) {
  const auto text = table.string(key);
  if (!text) return std::nullopt;
  return parse_regex(table, key, *text);
}

Facet facet_of(const TomlTable& table, std::string_view key, std::string_view name) {
  const auto* found = std::find(kFacetNames.begin(), kFacetNames.end(), name);
  if (found == kFacetNames.end()) table.fail(key, "must be genre, mood, use, instrument or sfx");
  return static_cast<Facet>(found - kFacetNames.begin());
}

Kind parse_kind(const TomlTable& table, Kind otherwise) {
  const auto kind = table.string("kind");
  if (!kind) return otherwise;
  if (kind != "music" && kind != "sfx") table.fail("kind", "must be music or sfx");
  return kind == "music" ? Kind::music : Kind::sfx;
}

std::string parse_domain(const TomlTable& table, const std::string& otherwise) {
  const auto text = table.string("domain");
  if (!text) return otherwise;
  const auto domain = normalized_domain(*text);
  if (!domain) table.fail("domain", "must be a domain");
  return *domain;
}

std::string parse_id_prefix(const TomlTable& table, const std::string& otherwise) {
  auto prefix = table.string("id_prefix").value_or(otherwise);
  if (!is_track_id(prefix + "-000000000000000")) table.fail("id_prefix", "does not make a track id");
  return prefix;
}

/// In the order of RowFormat.
constexpr std::array<std::string_view, 6> kFormats{"csv", "tsv", "json", "jsonl", "lines", "sqlite"};

/// Throws Failure for a key that is neither a key of files nor among these.
void allow_file_keys(const TomlTable& table, std::initializer_list<std::string_view> more) {
  std::vector<std::string_view> keys{"file",  "format",  "columns", "header_rows", "rows",
                                     "table", "pattern", "heading", "skip",        "optional"};
  keys.insert(keys.end(), more.begin(), more.end());
  table.allow_only(keys);
}

FileRule parse_file(const TomlTable& table) {
  FileRule rule;
  rule.files = table.strings("file");
  if (rule.files.empty()) table.fail("file", "is missing");
  for (const auto& file : rule.files) {
    const auto name = file.substr(file.rfind('/') + 1);
    if (file.empty()) table.fail("file", "is empty");
    if (std::count(file.begin(), file.end(), '*') != std::count(name.begin(), name.end(), '*') ||
        std::count(name.begin(), name.end(), '*') > 1) {
      table.fail("file", "may contain one *, in the name of the file: " + file);
    }
  }
  rule.optional = table.boolean("optional").value_or(false);
  const auto format = table.required_string("format");
  const auto* found = std::find(kFormats.begin(), kFormats.end(), format);
  if (found == kFormats.end()) table.fail("format", "must be csv, tsv, json, jsonl, lines or sqlite");
  auto& layout = rule.layout;
  layout.format = static_cast<RowFormat>(found - kFormats.begin());
  layout.columns = table.strings("columns");
  const auto header_rows = table.integer("header_rows").value_or(1);
  if (header_rows < 1 || header_rows > 9) table.fail("header_rows", "must be 1 to 9");
  layout.header_rows = static_cast<std::size_t>(header_rows);
  layout.rows = table.string("rows").value_or("");
  if (layout.format == RowFormat::sqlite) layout.table = table.required_string("table");
  if (layout.format == RowFormat::lines) {
    layout.pattern = parse_regex(table, "pattern", table.required_string("pattern"));
    layout.heading = optional_regex(table, "heading");
    if (layout.heading && layout.heading->mark_count() == 0) table.fail("heading", "needs a group");
    layout.skip = optional_regex(table, "skip");
  }
  return rule;
}

/// Returns the columns that the template names, in order.
std::vector<std::string> template_columns(const TomlTable& table, const std::string& form) {
  std::vector<std::string> columns;
  for (auto at = form.find_first_of("{}"); at != std::string::npos; at = form.find_first_of("{}", at)) {
    const auto close = form.find_first_of("{}", at + 1);
    if (form[at] == '}' || close == std::string::npos || form[close] == '{') {
      table.fail("template", "has an unpaired { or }");
    }
    const auto begin = at + (form[at + 1] == '+' ? 2 : 1);
    columns.push_back(form.substr(begin, close - begin));
    at = close + 1;
  }
  return columns;
}

FieldRule parse_field(const TomlTable& table) {
  table.allow_only({"constant", "template", "column", "remove", "pattern", "values", "form", "max"});
  FieldRule rule;
  rule.constant = table.string("constant");
  rule.text_template = table.string("template").value_or("");
  rule.column = table.string("column").value_or("");
  const int ways = (rule.constant ? 1 : 0) + (rule.text_template.empty() ? 0 : 1) + (rule.column.empty() ? 0 : 1);
  if (ways == 0) table.fail("column", "is missing (or constant, or template)");
  if (ways > 1) table.fail(rule.constant ? "constant" : "template", "is given together with another one; choose one");
  for (const auto& column : template_columns(table, rule.text_template)) {
    if (column.empty()) table.fail("template", "names no column between { and }");
  }
  for (const auto& text : table.strings("remove")) rule.remove.push_back(parse_regex(table, "remove", text));
  rule.pattern = optional_regex(table, "pattern");
  if (const auto values = table.table("values")) {
    for (const auto& key : values->keys()) rule.values[key] = values->required_string(key);
  }
  const auto form = table.string("form").value_or("text");
  if (form == "clock") {
    rule.form = FieldRule::Form::clock;
  } else if (form == "number") {
    rule.form = FieldRule::Form::number;
  } else if (form == "milliseconds") {
    rule.form = FieldRule::Form::milliseconds;
  } else if (form == "date") {
    rule.form = FieldRule::Form::date;
  } else if (form != "text") {
    table.fail("form", "must be text, clock, number, milliseconds or date");
  }
  if (const auto max = table.integer("max")) {
    if (*max < 0 || rule.form == FieldRule::Form::text) table.fail("max", "is for numbers, and at least 0");
    rule.max = static_cast<std::uint64_t>(*max);
  }
  return rule;
}

TagRule parse_tag_rule(const TomlTable& table, const Mapping& mapping) {
  table.allow_only({"column", "pattern", "split", "undo_doubling", "vocabulary", "facets", "facet", "searchable"});
  TagRule rule;
  rule.column = table.required_string("column");
  rule.pattern = optional_regex(table, "pattern");
  rule.split = optional_regex(table, "split");
  rule.remove_doubling = table.boolean("undo_doubling").value_or(false);
  rule.is_searchable = table.boolean("searchable").value_or(true);
  rule.vocabulary = table.string("vocabulary").value_or("");
  if (!rule.vocabulary.empty() && !mapping.vocabularies.contains(rule.vocabulary)) {
    table.fail("vocabulary", "names no [vocabulary." + rule.vocabulary + "]");
  }
  if (const auto name = table.string("facet")) rule.facet = facet_of(table, "facet", *name);
  for (const auto& name : table.strings("facets")) rule.facets.push_back(facet_of(table, "facets", name));
  const bool is_only_searchable = table.boolean("searchable").value_or(false);
  if (rule.vocabulary.empty() && rule.facets.empty() && !rule.facet && !is_only_searchable) {
    table.fail("facet", "or facets, or a vocabulary, or searchable = true, is needed");
  }
  return rule;
}

/// Returns the columns that the field reads.
std::vector<ColumnReference> columns_of(const TomlTable& table, const FieldRule& rule) {
  std::vector<ColumnReference> named;
  if (!rule.column.empty()) named.push_back({rule.column, table.location_of("column")});
  for (const auto& column : template_columns(table, rule.text_template)) {
    named.push_back({column, table.location_of("template")});
  }
  return named;
}

/// Returns the columns of the license and the keys of the joins that provide them.
std::vector<std::string> with_joins(std::vector<std::string> columns, const std::vector<JoinRule>& joins) {
  for (auto join = joins.rbegin(); join != joins.rend(); ++join) {  // a later join may use a column of an earlier one
    const auto is_joined = [&](const std::string& column) { return column.starts_with(join->prefix); };
    if (std::any_of(columns.begin(), columns.end(), is_joined)) columns.push_back(join->on);
  }
  return columns;
}

void parse_license_fields(const TomlTable& fields, InputRule& rule) {
  rule.license.clear();
  rule.license_columns.clear();
  for (const auto& table : fields.one_or_more("license")) {
    rule.license.push_back(parse_field(table));
    for (auto& named : columns_of(table, rule.license.back())) {
      rule.license_columns.push_back(named.column);
      rule.columns.push_back(std::move(named));
    }
  }
}

/// Adds fields. The input's `own` fields override them.
void parse_fields(const TomlTable& fields, InputRule& rule, const std::optional<TomlTable>& own) {
  for (const auto& key : fields.keys()) {
    if (std::find(kMappedFields.begin(), kMappedFields.end(), key) == kMappedFields.end()) {
      fields.fail(key, "is not a key of canonical lines that can be mapped");
    }
    if (own && own->has(key)) continue;
    if (key == "license") {
      parse_license_fields(fields, rule);
      continue;
    }
    auto& ways = rule.fields[key];
    for (const auto& table : fields.one_or_more(key)) {
      ways.push_back(parse_field(table));
      for (auto& named : columns_of(table, ways.back())) rule.columns.push_back(std::move(named));
    }
  }
}

void parse_joins(const TomlTable& table, InputRule& rule) {
  for (const auto& join : table.tables("join")) {
    allow_file_keys(join, {"on", "to", "prefix"});
    const auto prefix = join.required_string("prefix");
    for (const auto& other : rule.joins) {
      if (!prefix.starts_with(other.prefix) && !other.prefix.starts_with(prefix)) continue;
      join.fail("prefix", "begins like the prefix of another join, so their columns cannot be distinguished");
    }
    rule.joins.push_back(
        {parse_file(join), join.required_string("on"), join.required_string("to"), prefix, join.location_of("to")});
    rule.columns.push_back({rule.joins.back().on, join.location_of("on")});
  }
}

void parse_only(const TomlTable& table, InputRule& rule) {
  for (const auto& only : table.tables("only")) {
    only.allow_only({"column", "pattern"});
    rule.only.push_back(
        {only.required_string("column"), parse_regex(only, "pattern", only.required_string("pattern"))});
    rule.columns.push_back({rule.only.back().column, only.location_of("column")});
  }
}

void parse_made_from(const TomlTable& table, InputRule& rule) {
  for (const auto& from : table.one_or_more("made_from")) {
    from.allow_only({"column", "number", "id_prefix"});
    rule.made_from.push_back({from.required_string("column"),
                              parse_regex(from, "number", from.required_string("number")),
                              parse_id_prefix(from, from.required_string("id_prefix"))});
    if (rule.made_from.back().number.mark_count() == 0) from.fail("number", "needs a group");
    rule.columns.push_back({rule.made_from.back().column, from.location_of("column")});
  }
}

/// Parses the fields and tags of the input and those that the mapping declares for all inputs.
void parse_values(const TomlTable& table, const TomlTable& top, const Mapping& mapping, InputRule& rule) {
  const auto own = table.table("fields");
  if (own) parse_fields(*own, rule, std::nullopt);
  if (const auto shared = top.table("fields")) parse_fields(*shared, rule, own);
  for (const auto& tags : (table.has("tags") ? table : top).tables("tags")) {
    rule.tags.push_back(parse_tag_rule(tags, mapping));
    rule.columns.push_back({rule.tags.back().column, tags.location_of("column")});
  }
}

InputRule parse_input(const TomlTable& table, const TomlTable& top, const Mapping& mapping) {
  allow_file_keys(table, {"key", "key_pattern", "number", "made_from", "only", "domain", "id_prefix", "kind", "join",
                          "fields", "tags"});
  InputRule rule;
  rule.file = parse_file(table);
  rule.key = table.required_string("key");
  rule.columns.push_back({rule.key, table.location_of("key")});
  rule.number = optional_regex(table, "number");
  if (rule.number && rule.number->mark_count() == 0) table.fail("number", "needs a group");
  rule.key_pattern = optional_regex(table, "key_pattern");
  if (rule.key_pattern && rule.key_pattern->mark_count() == 0) table.fail("key_pattern", "needs a group");
  parse_made_from(table, rule);
  parse_only(table, rule);
  rule.domain = parse_domain(table, mapping.domain);
  rule.id_prefix = parse_id_prefix(table, top.required_string("id_prefix"));
  rule.kind = parse_kind(table, parse_kind(top, Kind::music));
  parse_joins(table, rule);
  parse_values(table, top, mapping, rule);
  rule.license_columns = with_joins(std::move(rule.license_columns), rule.joins);
  return rule;
}

/// Parses the reason for rejecting a license.
Reason parse_reason(const TomlTable& table) {
  const auto name = table.string("reason");
  if (!name) return Reason::license_not_offered;
  for (const auto reason : {Reason::license_not_offered, Reason::license_ported, Reason::license_old_version,
                            Reason::sampling, Reason::no_derivatives}) {
    if (reason_row(reason).name == *name) return reason;
  }
  table.fail("reason", "must be license_not_offered, license_ported, license_old_version, sampling or no_derivatives");
}

LicenseRule parse_license_rule(const TomlTable& table) {
  table.allow_only({"match", "id", "left_out", "reason"});
  LicenseRule rule;
  rule.match = parse_regex(table, "match", table.required_string("match"));
  rule.id = table.string("id").value_or("");
  rule.rejection_message = table.string("left_out").value_or("");
  rule.reason = parse_reason(table);
  if (rule.id.empty() == rule.rejection_message.empty()) table.fail("id", "or left_out must be given, and not both");
  if (!rule.id.empty() && !find_license(rule.id) && !lacks_version(rule.id)) {
    table.fail("id", "is not a license of the catalog: " + rule.id);
  }
  return rule;
}

/// Returns the rules of a built-in list (data/licenses_NAME.toml).
std::vector<LicenseRule> license_list(const std::string& name) {
  const auto path = "data/licenses_" + name + ".toml";
  const auto file = parse_toml(embedded_file(path), path);
  const TomlTable table(file, path);
  table.allow_only({"license"});
  std::vector<LicenseRule> rules;
  for (const auto& rule : table.tables("license")) rules.push_back(parse_license_rule(rule));
  return rules;
}

/// Returns the rules of the lists that the mapping names, in order, and then its own.
std::vector<LicenseRule> parse_licenses(const TomlTable& table) {
  std::vector<LicenseRule> rules;
  for (const auto& name : table.strings("license_lists")) {
    if (!has_embedded_file("data/licenses_" + name + ".toml")) {
      table.fail("license_lists", "names a list that does not exist: " + name);
    }
    const auto listed = license_list(name);
    rules.insert(rules.end(), listed.begin(), listed.end());
  }
  for (const auto& rule : table.tables("license")) rules.push_back(parse_license_rule(rule));
  return rules;
}

Vocabulary parse_vocabulary(const TomlTable& table) {
  Vocabulary result;
  for (const auto& word : table.keys()) {
    auto targets = table.strings(word);
    for (const auto& target : targets) {
      if (!is_target(target)) table.fail(word, "must name facet:tag-id, tone:... or energy:..., not " + target);
    }
    result[text::fold_case(word)] = std::move(targets);
  }
  return result;
}

TagLabels parse_labels(const TomlTable& table) {
  TagLabels labels;
  table.allow_only({"genre", "mood", "use", "instrument", "sfx"});
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    const auto rows = table.table(kFacetNames[facet]);
    if (!rows) continue;
    for (const auto& id : rows->keys()) {
      if (!is_tag_id(id)) rows->fail(id, "is not a tag id");
      labels[facet][id] = rows->required_string(id);
    }
  }
  return labels;
}

Mapping from_table(const TomlTable& table) {
  table.allow_only({"name", "domain", "source_name", "id_prefix", "kind", "undo_double_encoding", "html", "supplement",
                    "license_lists", "input", "fields", "tags", "license", "vocabulary", "labels"});
  Mapping mapping;
  mapping.name = table.required_string("name");
  if (is_vocabulary_key(mapping.name)) table.fail("name", "means something else in the vocabularies");
  table.required_string("domain");
  mapping.domain = parse_domain(table, {});
  mapping.source_name = table.string("source_name").value_or("");
  table.required_string("kind");
  mapping.undo_double_encoding = table.boolean("undo_double_encoding").value_or(false);
  mapping.html = table.boolean("html").value_or(false);
  mapping.supplement = table.boolean("supplement").value_or(false);
  if (const auto vocabularies = table.table("vocabulary")) {
    for (const auto& key : vocabularies->keys()) {
      mapping.vocabularies[key] = parse_vocabulary(vocabularies->required_table(key));
    }
  }
  mapping.facet_words = facet_words(mapping.name);
  mapping.licenses = parse_licenses(table);
  for (const auto& input : table.tables("input")) mapping.inputs.push_back(parse_input(input, table, mapping));
  if (mapping.inputs.empty()) table.fail("input", "is missing");
  if (const auto labels = table.table("labels")) mapping.labels = parse_labels(*labels);
  return mapping;
}

bool is_same(const std::optional<boost::regex>& one, const std::optional<boost::regex>& other) {
  return one.has_value() == other.has_value() && (!one || one->str() == other->str());
}

}  // namespace

bool FileRule::is_same(const FileRule& other) const {
  const auto& mine = layout;
  const auto& its = other.layout;
  return files == other.files && optional == other.optional && mine.format == its.format &&
         mine.columns == its.columns && mine.header_rows == its.header_rows && mine.rows == its.rows &&
         mine.table == its.table && mine.pattern.str() == its.pattern.str() &&
         builder::is_same(mine.heading, its.heading) && builder::is_same(mine.skip, its.skip);
}

Mapping parse_mapping(std::string_view text, const std::string& name) {
  const auto file = parse_toml(text, name);
  return from_table(TomlTable(file, name));
}

Mapping find_mapping(const std::string& name) {
  if (name.ends_with(".toml")) {
    const auto file = parse_toml(read_text_file(name), name);
    return from_table(TomlTable(file, name));
  }
  const auto file = "sources/" + name + ".toml";
  if (has_embedded_file(file)) return parse_mapping(embedded_file(file), file);
  std::vector<std::string_view> names{"folder"};
  std::string known;
  for (const auto& embedded : embedded_files()) {
    if (!embedded.name.starts_with("sources/")) continue;
    names.push_back(embedded.name.substr(8, embedded.name.size() - 8 - 5));
    known += (known.empty() ? "" : ", ") + std::string(names.back());
  }
  const auto similar = settings::nearest(name, names);
  throw Failure("there is no source " + name + (similar ? "; did you mean " + std::string(*similar) + "?" : ".") +
                " Known are folder, " + known + ", or the path of a mapping that ends in .toml");
}

BuiltInLabels built_in_labels() {
  const std::string name = "data/sources.toml";
  const auto file = parse_toml(embedded_file(name), name);
  const TomlTable table(file, name);
  BuiltInLabels result;
  result.tags = facet_labels();
  for (const auto& domain : table.keys()) result.sources[domain] = table.required_string(domain);
  return result;
}

}  // namespace tonearm::builder
