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

std::optional<Facet> parse_facet(const TomlTable& table, std::string_view key) {
  const auto name = table.string(key);
  if (!name) return std::nullopt;
  const auto* found = std::find(kFacetNames.begin(), kFacetNames.end(), *name);
  if (found == kFacetNames.end()) table.fail(key, "must be genre, mood, use, instrument or sfx");
  return static_cast<Facet>(found - kFacetNames.begin());
}

FileRule parse_file(const TomlTable& table) {
  FileRule rule;
  rule.file = table.required_string("file");
  const auto format = table.required_string("format");
  if (format == "csv") {
    rule.format = RowFormat::csv;
  } else if (format == "json") {
    rule.format = RowFormat::json;
  } else if (format == "sqlite") {
    rule.format = RowFormat::sqlite;
    rule.table = table.required_string("table");
  } else {
    table.fail("format", "must be csv, json or sqlite");
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
  } else if (form != "text") {
    table.fail("form", "must be text, clock or number");
  }
  if (const auto max = table.integer("max")) {
    if (*max < 0 || rule.form == FieldRule::Form::text) table.fail("max", "is for numbers, and at least 0");
    rule.max = static_cast<std::uint64_t>(*max);
  }
  return rule;
}

TagRule parse_tag_rule(const TomlTable& table, const Mapping& mapping) {
  table.allow_only({"column", "split", "vocabulary", "facet"});
  TagRule rule;
  rule.column = table.required_string("column");
  rule.split = optional_regex(table, "split");
  rule.vocabulary = table.string("vocabulary").value_or("");
  if (!rule.vocabulary.empty() && !mapping.vocabularies.contains(rule.vocabulary)) {
    table.fail("vocabulary", "names no [vocabulary." + rule.vocabulary + "]");
  }
  rule.facet = parse_facet(table, "facet");
  if (rule.vocabulary.empty() && !rule.facet) table.fail("facet", "or a vocabulary is needed");
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

InputRule parse_input(const TomlTable& table, const Mapping& mapping) {
  table.allow_only({"file", "format", "table", "key", "join", "fields", "tags"});
  InputRule rule;
  rule.file = parse_file(table);
  rule.key = table.required_string("key");
  for (const auto& join : table.tables("join")) {
    join.allow_only({"file", "format", "table", "on", "to", "prefix"});
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

LicenseRule parse_license_rule(const TomlTable& table) {
  table.allow_only({"match", "id", "left_out"});
  LicenseRule rule;
  rule.match = parse_regex(table, "match", table.required_string("match"));
  rule.id = table.string("id").value_or("");
  rule.left_out = table.string("left_out").value_or("");
  if (rule.id.empty() == rule.left_out.empty()) table.fail("id", "or left_out must be given, and not both");
  return rule;
}

/// "genre:trip-hop", "tone:dark", "energy:calm"
bool is_target(std::string_view target) {
  const auto colon = target.find(':');
  if (colon == std::string_view::npos) return false;
  const auto facet = target.substr(0, colon);
  const auto id = target.substr(colon + 1);
  const auto among = [](const auto& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (facet == "tone") return among(kToneNames, id);
  if (facet == "energy") return among(kEnergyNames, id);
  return among(kFacetNames, facet) && is_tag_id(id);
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
  table.allow_only({"name", "domain", "source_name", "id_prefix", "kind", "undo_double_encoding", "input", "license",
                    "vocabulary", "labels"});
  Mapping mapping;
  mapping.name = table.required_string("name");
  const auto domain = lower_domain(table.required_string("domain"));
  if (!domain) table.fail("domain", "must be a domain");
  mapping.domain = *domain;
  mapping.source_name = table.string("source_name").value_or("");
  mapping.id_prefix = table.required_string("id_prefix");
  if (!is_track_id(mapping.id_prefix + "-000000000000000")) table.fail("id_prefix", "makes no track id");
  const auto kind = table.required_string("kind");
  if (kind != "music" && kind != "sfx") table.fail("kind", "must be music or sfx");
  mapping.kind = kind == "music" ? Kind::music : Kind::sfx;
  mapping.undo_double_encoding = table.boolean("undo_double_encoding").value_or(false);
  if (const auto vocabularies = table.table("vocabulary")) {
    for (const auto& key : vocabularies->keys()) {
      mapping.vocabularies[key] = parse_vocabulary(*vocabularies->table(key));
    }
  }
  for (const auto& rule : table.tables("license")) mapping.licenses.push_back(parse_license_rule(rule));
  for (const auto& input : table.tables("input")) mapping.inputs.push_back(parse_input(input, mapping));
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
  const auto file = parse_toml(embedded_file("data/labels.toml"), "data/labels.toml");
  const TomlTable table(file, "data/labels.toml");
  table.allow_only({"labels", "sources"});
  BuiltInLabels result;
  result.tags = parse_labels(*table.table("labels"));
  const auto sources = table.table("sources");
  for (const auto& domain : sources->keys()) result.sources[domain] = sources->required_string(domain);
  return result;
}

}  // namespace tonearm::builder
