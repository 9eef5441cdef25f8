#include "intake/policy.h"

#include <array>

#include "input/toml_file.h"
#include "values/web_address.h"

namespace tonearm::builder {
namespace {

struct ListRow {
  const char* name;
  PolicyList Policy::*list;
};
constexpr std::array<ListRow, 4> kLists{{
    {"left_out_licenses", &Policy::left_out_licenses},
    {"left_out_sources", &Policy::left_out_sources},
    {"left_out_ids", &Policy::left_out_ids},
    {"taken_down", &Policy::taken_down},
}};

bool meets(PolicyList& list, std::string_view value) {
  const auto entry = list.find(value);
  if (entry == list.end()) return false;
  ++entry->second;
  return true;
}

}  // namespace

std::optional<Rejection> Policy::apply(Track& track) {
  const auto license_id = license(track.license).name_id;
  const bool license_met = meets(left_out_licenses, license_id);
  const bool source_met = meets(left_out_sources, track.source);
  const bool id_met = meets(left_out_ids, track.id);
  if (meets(taken_down, track.id)) {
    track.taken_down = true;
    track.preview_url.clear();
    track.original_url.clear();
  }
  if (license_met)
    return Rejection{Reason::policy_license, "the policy leaves out " + std::string(license_id), track.id};
  if (source_met) return Rejection{Reason::policy_source, "the policy leaves out " + track.source, track.id};
  if (id_met) return Rejection{Reason::policy_id, "the policy leaves out this id", track.id};
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
  const auto file = read_toml(path);
  const TomlTable table(file, path);
  table.allow_only({"left_out_licenses", "left_out_sources", "left_out_ids", "taken_down", "rules"});
  Policy policy;
  for (const auto& id : table.strings("left_out_licenses")) {
    if (!find_license(id)) table.fail("left_out_licenses", "holds \"" + id + "\", which is no license id");
    policy.left_out_licenses[id] = 0;
  }
  for (const auto& source : table.strings("left_out_sources")) {
    const auto domain = lower_domain(source);
    if (!domain) table.fail("left_out_sources", "holds \"" + source + "\", which is no domain");
    policy.left_out_sources[*domain] = 0;
  }
  for (const auto& id : table.strings("left_out_ids")) policy.left_out_ids[id] = 0;
  for (const auto& id : table.strings("taken_down")) policy.taken_down[id] = 0;
  policy.rules = read_rules(table);
  return policy;
}

}  // namespace tonearm::builder
