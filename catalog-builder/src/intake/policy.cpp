#include "intake/policy.h"

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "canonical/check.h"
#include "files/toml_table.h"
#include "input/text_file.h"
#include "tonearm/result.h"
#include "values/url.h"

namespace tonearm::builder {
namespace {

using native::parse_toml;
using native::TomlTable;

struct ListRow {
  const char* name;
  PolicyList Policy::*list;
};
constexpr std::array<ListRow, 7> kLists{{
    {"offered_licenses", &Policy::offered_licenses},
    {"left_out_licenses", &Policy::left_out_licenses},
    {"left_out_sources", &Policy::left_out_sources},
    {"left_out_ids", &Policy::left_out_ids},
    {"left_out_tags", &Policy::left_out_tags},
    {"taken_down", &Policy::taken_down},
    {"verified_sources", &Policy::verified_sources},
}};

bool count_match(PolicyList& list, std::string_view value) {
  const auto entry = list.find(value);
  if (entry == list.end()) return false;
  ++entry->second;
  return true;
}

/// Counts the matching tags of the track and returns the first.
std::optional<std::string> first_matching_tag(PolicyList& list, const Track& track) {
  std::optional<std::string> first;
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const std::string& tag : track.tags[facet]) {
      const std::string name = std::string(kFacetNames[facet]) + ":" + tag;
      if (count_match(list, name) && !first) first = name;
    }
  }
  return first;
}

bool is_tag_name(std::string_view name) {
  const auto colon = name.find(':');
  return colon != std::string_view::npos && is_tag_id(name.substr(colon + 1)) &&
         std::find(kFacetNames.begin(), kFacetNames.end(), name.substr(0, colon)) != kFacetNames.end();
}

void read_licenses(const TomlTable& table, const char* key, PolicyList& list) {
  for (const auto& id : table.strings(key)) {
    if (!find_license(id)) table.fail(key, "contains \"" + id + "\", which is not a license id");
    list[id] = 0;
  }
}

void read_domains(const TomlTable& table, const char* key, PolicyList& list) {
  for (const auto& source : table.strings(key)) {
    const auto domain = normalized_domain(source);
    if (!domain) table.fail(key, "contains \"" + source + "\", which is not a domain");
    list[*domain] = 0;
  }
}

}  // namespace

std::optional<Rejection> Policy::apply(Track& track) {
  const auto license_id = license(track.license).name_id;
  const bool is_offered = count_match(offered_licenses, license_id) || offered_licenses.empty();
  const bool is_license_rejected = count_match(left_out_licenses, license_id);
  const bool is_source_rejected = count_match(left_out_sources, track.source);
  const bool is_id_rejected = count_match(left_out_ids, track.id);
  const auto tag = first_matching_tag(left_out_tags, track);
  if (count_match(verified_sources, track.source)) track.license_status = LicenseStatus::verified;
  if (count_match(taken_down, track.id)) {
    track.taken_down = true;
    track.preview_url.clear();
    track.original_url.clear();
  }
  if (is_license_rejected || !is_offered)
    return Rejection{Reason::policy_license, "the policy leaves out " + std::string(license_id), track.id};
  if (is_source_rejected) return Rejection{Reason::policy_source, "the policy leaves out " + track.source, track.id};
  if (is_id_rejected) return Rejection{Reason::policy_id, "the policy leaves out this id", track.id};
  if (tag) return Rejection{Reason::policy_tag, "the policy leaves out the tag " + *tag, track.id};
  return std::nullopt;
}

std::map<std::string, std::vector<std::string>> Policy::unmatched() const {
  std::map<std::string, std::vector<std::string>> result;
  for (const auto& row : kLists) {
    for (const auto& [entry, count] : this->*row.list) {
      if (count == 0) result[row.name].push_back(entry);
    }
  }
  return result;
}

namespace {

RuleSet read_rules(const TomlTable& table) {
  RuleSet rules;
  const auto given = table.table("rules");
  if (!given) return rules;
  given->allow_only({kRuleNames.begin(), kRuleNames.end()});
  for (std::size_t i = 0; i < kRuleNames.size(); ++i) {
    if (!given->boolean(kRuleNames[i]).value_or(true)) rules.turn_off(static_cast<Rule>(i));
  }
  return rules;
}

}  // namespace

Policy read_policy(const std::string& path) {
  const auto file = parse_toml(read_text_file(path), path);
  const TomlTable table(file, path);
  std::vector<std::string_view> keys{"rules"};
  for (const auto& row : kLists) keys.emplace_back(row.name);
  table.allow_only(keys);
  Policy policy;
  read_licenses(table, "offered_licenses", policy.offered_licenses);
  read_licenses(table, "left_out_licenses", policy.left_out_licenses);
  read_domains(table, "left_out_sources", policy.left_out_sources);
  read_domains(table, "verified_sources", policy.verified_sources);
  for (const auto& tag : table.strings("left_out_tags")) {
    if (!is_tag_name(tag)) table.fail("left_out_tags", "contains \"" + tag + "\", which is not a facet:tag");
    policy.left_out_tags[tag] = 0;
  }
  for (const auto& id : table.strings("left_out_ids")) policy.left_out_ids[id] = 0;
  for (const auto& id : table.strings("taken_down")) policy.taken_down[id] = 0;
  policy.rules = read_rules(table);
  return policy;
}

void add_take_downs(const std::string& path, Policy& policy) {
  const auto refuse = [&path] {
    throw tonearm::Failure(path + ": is not the output of `tonearm-admin takedown list --json`");
  };
  boost::system::error_code error;
  const boost::json::value listed = boost::json::parse(read_text_file(path), error);
  const auto* take_downs = !error && listed.is_object() ? listed.get_object().if_contains("takedowns") : nullptr;
  if (take_downs == nullptr || !take_downs->is_array()) refuse();
  for (const boost::json::value& it : take_downs->get_array()) {
    const auto* id = it.is_object() ? it.get_object().if_contains("track_id") : nullptr;
    if (id == nullptr || !id->is_string()) refuse();
    policy.taken_down[std::string(id->get_string())] = 0;
  }
}

}  // namespace tonearm::builder
