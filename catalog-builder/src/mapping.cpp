#include "mapping.h"

#include <algorithm>

#include "check.h"
#include "embedded.h"
#include "failure.h"
#include "text/unicode.h"
#include "toml_file.h"
#include "web_address.h"

namespace tonearm::builder {
namespace {

boost::regex parse_regex(const TomlTable& table, std::string_view key, const std::string& text) {
  try {
    // ^ and $ mean the ends of the text: a second line of a cell may say otherwise than its first.
    return boost::regex(text, boost::regex::perl | boost::regex::no_mod_m);
  } catch (const boost::regex_error& error) {
    table.fail(key, std::string("is no regular expression: ") + error.what());
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
  const auto domain = lower_domain(*text);
  if (!domain) table.fail("domain", "must be a domain");
  return *domain;
}

std::string parse_id_prefix(const TomlTable& table, const std::string& otherwise) {
  auto prefix = table.string("id_prefix").value_or(otherwise);
  if (!is_track_id(prefix + "-000000000000000")) table.fail("id_prefix", "makes no track id");
  return prefix;
}

/// In the order of RowFormat.
constexpr std::array<std::string_view, 6> kFormats{"csv", "tsv", "json", "jsonl", "lines", "sqlite"};

/// Throws Failure for a key that is neither one of a file nor among these.
void allow_file_keys(const TomlTable& table, std::initializer_list<std::string_view> more) {
  std::vector<std::string_view> keys{"file",  "format",  "columns", "header_rows", "rows",
                                     "table", "pattern", "heading", "skip",        "optional"};
  keys.insert(keys.end(), more.begin(), more.end());
  table.allow_only(keys);
}

FileRule parse_file(const TomlTable& table) {
  FileRule rule;
  rule.file = table.required_string("file");
  rule.optional = table.boolean("optional").value_or(false);
  const auto format = table.required_string("format");
  const auto* found = std::find(kFormats.begin(), kFormats.end(), format);
  if (found == kFormats.end()) table.fail("format", "must be csv, tsv, json, jsonl, lines or sqlite");
  auto& form = rule.form;
  form.format = static_cast<RowFormat>(found - kFormats.begin());
  form.columns = table.strings("columns");
  const auto header_rows = table.integer("header_rows").value_or(1);
  if (header_rows < 1 || header_rows > 9) table.fail("header_rows", "must be 1 to 9");
  form.header_rows = static_cast<std::size_t>(header_rows);
  form.rows = table.string("rows").value_or("");
  if (form.format == RowFormat::sqlite) form.table = table.required_string("table");
  if (form.format == RowFormat::lines) {
    form.pattern = parse_regex(table, "pattern", table.required_string("pattern"));
    form.heading = optional_regex(table, "heading");
    if (form.heading && form.heading->mark_count() == 0) table.fail("heading", "needs a group");
    form.skip = optional_regex(table, "skip");
  }
  return rule;
}

FieldRule parse_field(const TomlTable& table) {
  table.allow_only({"constant", "template", "column", "remove", "pattern", "values", "form", "max"});
  FieldRule rule;
  rule.constant = table.string("constant");
  rule.text_template = table.string("template").value_or("");
  rule.column = table.string("column").value_or("");
  if (!rule.constant && rule.text_template.empty() && rule.column.empty()) {
    table.fail("column", "is missing (or constant, or template)");
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
  } else if (form != "text") {
    table.fail("form", "must be text, clock, number or milliseconds");
  }
  if (const auto max = table.integer("max")) {
    if (*max < 0 || rule.form == FieldRule::Form::text) table.fail("max", "is for numbers, and at least 0");
    rule.max = static_cast<std::uint64_t>(*max);
  }
  return rule;
}

TagRule parse_tag_rule(const TomlTable& table, const Mapping& mapping) {
  table.allow_only({"column", "pattern", "split", "vocabulary", "facets", "facet"});
  TagRule rule;
  rule.column = table.required_string("column");
  rule.pattern = optional_regex(table, "pattern");
  rule.split = optional_regex(table, "split");
  rule.vocabulary = table.string("vocabulary").value_or("");
  if (!rule.vocabulary.empty() && !mapping.vocabularies.contains(rule.vocabulary)) {
    table.fail("vocabulary", "names no [vocabulary." + rule.vocabulary + "]");
  }
  if (const auto name = table.string("facet")) rule.facet = facet_of(table, "facet", *name);
  for (const auto& name : table.strings("facets")) rule.facets.push_back(facet_of(table, "facets", name));
  if (rule.vocabulary.empty() && rule.facets.empty() && !rule.facet) {
    table.fail("facet", "or facets, or a vocabulary, is needed");
  }
  return rule;
}

/// The columns that the rule reads.
std::vector<std::string> columns_of(const FieldRule& rule) {
  if (rule.constant) return {};
  if (rule.text_template.empty()) return {rule.column};
  std::vector<std::string> columns;
  const auto& form = rule.text_template;
  for (auto open = form.find('{'); open != std::string::npos; open = form.find('{', open + 1)) {
    columns.push_back(form.substr(open + 1, form.find('}', open) - open - 1));
  }
  return columns;
}

std::vector<std::string> license_columns(const InputRule& rule) {
  const auto field = rule.fields.find("license");
  if (field == rule.fields.end()) return {};
  auto columns = columns_of(field->second);
  for (auto join = rule.joins.rbegin(); join != rule.joins.rend();
       ++join) {  // a later one may use what an earlier found
    const auto is_joined = [&](const std::string& column) { return column.starts_with(join->prefix); };
    if (std::any_of(columns.begin(), columns.end(), is_joined)) columns.push_back(join->on);
  }
  return columns;
}

InputRule parse_input(const TomlTable& table, const TomlTable& top, const Mapping& mapping) {
  allow_file_keys(table,
                  {"key", "key_pattern", "number", "only", "domain", "id_prefix", "kind", "join", "fields", "tags"});
  InputRule rule;
  rule.file = parse_file(table);
  rule.key = table.required_string("key");
  rule.number = optional_regex(table, "number");
  if (rule.number && rule.number->mark_count() == 0) table.fail("number", "needs a group");
  rule.key_pattern = optional_regex(table, "key_pattern");
  if (rule.key_pattern && rule.key_pattern->mark_count() == 0) table.fail("key_pattern", "needs a group");
  for (const auto& only : table.tables("only")) {
    only.allow_only({"column", "pattern"});
    rule.only.push_back(
        {only.required_string("column"), parse_regex(only, "pattern", only.required_string("pattern"))});
  }
  rule.domain = parse_domain(table, mapping.domain);
  rule.id_prefix = parse_id_prefix(table, top.required_string("id_prefix"));
  rule.kind = parse_kind(table, parse_kind(top, Kind::music));
  for (const auto& join : table.tables("join")) {
    allow_file_keys(join, {"on", "to", "prefix"});
    rule.joins.push_back(
        {parse_file(join), join.required_string("on"), join.required_string("to"), join.string("prefix").value_or("")});
  }
  if (const auto fields = table.table("fields")) {
    for (const auto& key : fields->keys()) {
      if (std::find(kMappedFields.begin(), kMappedFields.end(), key) == kMappedFields.end()) {
        fields->fail(key, "is no key of a canonical line that can be mapped");
      }
      rule.fields.emplace(key, parse_field(*fields->table(key)));
    }
  }
  for (const auto& tags : table.tables("tags")) rule.tags.push_back(parse_tag_rule(tags, mapping));
  rule.license_columns = license_columns(rule);
  return rule;
}

/// What a license is left out for, by its name.
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
  rule.left_out = table.string("left_out").value_or("");
  rule.reason = parse_reason(table);
  if (rule.id.empty() == rule.left_out.empty()) table.fail("id", "or left_out must be given, and not both");
  return rule;
}

/// The rules for the addresses of Creative Commons licenses, which stand before a mapping's own.
std::vector<LicenseRule> license_address_rules() {
  const std::string name = "data/license_addresses.toml";
  const auto file = parse_toml(embedded_file(name), name);
  const TomlTable table(file, name);
  table.allow_only({"license"});
  std::vector<LicenseRule> rules;
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
      if (!is_tag_id(id)) rows->fail(id, "is no tag id");
      labels[facet][id] = rows->required_string(id);
    }
  }
  return labels;
}

Mapping from_table(const TomlTable& table) {
  table.allow_only({"name", "domain", "source_name", "id_prefix", "kind", "undo_double_encoding", "html", "supplement",
                    "license_addresses", "input", "license", "vocabulary", "labels"});
  Mapping mapping;
  mapping.name = table.required_string("name");
  table.required_string("domain");
  mapping.domain = parse_domain(table, {});
  mapping.source_name = table.string("source_name").value_or("");
  table.required_string("kind");
  mapping.undo_double_encoding = table.boolean("undo_double_encoding").value_or(false);
  mapping.html = table.boolean("html").value_or(false);
  mapping.supplement = table.boolean("supplement").value_or(false);
  if (const auto vocabularies = table.table("vocabulary")) {
    for (const auto& key : vocabularies->keys()) {
      mapping.vocabularies[key] = parse_vocabulary(*vocabularies->table(key));
    }
  }
  mapping.facet_words = facet_words(mapping.name);
  if (table.boolean("license_addresses").value_or(false)) mapping.licenses = license_address_rules();
  for (const auto& rule : table.tables("license")) mapping.licenses.push_back(parse_license_rule(rule));
  for (const auto& input : table.tables("input")) mapping.inputs.push_back(parse_input(input, table, mapping));
  if (mapping.inputs.empty()) table.fail("input", "is missing");
  if (const auto labels = table.table("labels")) mapping.labels = parse_labels(*labels);
  return mapping;
}

}  // namespace

Mapping parse_mapping(std::string_view text, const std::string& name) {
  const auto file = parse_toml(text, name);
  return from_table(TomlTable(file, name));
}

Mapping find_mapping(const std::string& name) {
  if (name.ends_with(".toml")) {
    const auto file = read_toml(name);
    return from_table(TomlTable(file, name));
  }
  const auto file = "sources/" + name + ".toml";
  if (has_embedded_file(file)) return parse_mapping(embedded_file(file), file);
  std::string known;
  for (const auto& embedded : embedded_files()) {
    if (!embedded.name.starts_with("sources/")) continue;
    const auto stem = embedded.name.substr(8, embedded.name.size() - 8 - 5);
    known += (known.empty() ? "" : ", ") + std::string(stem);
  }
  throw Failure("there is no source " + name + "; known are " + known +
                ", or the path of a mapping that ends in .toml");
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
