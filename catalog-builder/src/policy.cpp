#include "policy.h"

#include "toml_file.h"

namespace tonearm::builder {

std::optional<Fault> Policy::apply(Track& track) const {
  if (left_out_licenses.contains(track.license)) {
    return Fault{Reason::policy_license, "the policy leaves out " + std::string(license(track.license).name_id),
                 track.id};
  }
  if (left_out_sources.contains(track.source)) {
    return Fault{Reason::policy_source, "the policy leaves out " + track.source, track.id};
  }
  if (left_out_ids.contains(track.id)) {
    return Fault{Reason::policy_id, "the policy leaves out this id", track.id};
  }
  if (taken_down.contains(track.id)) {
    track.taken_down = true;
    track.preview_url.clear();
    track.original_url.clear();
  }
  return std::nullopt;
}

Policy read_policy(const std::string& path) {
  const auto file = read_toml(path);
  const TomlTable table(file, path);
  table.allow_only({"left_out_licenses", "left_out_sources", "left_out_ids", "taken_down"});
  Policy policy;
  for (const auto& id : table.strings("left_out_licenses")) {
    const auto found = find_license(id);
    if (!found) table.fail("left_out_licenses", "holds \"" + id + "\", which is no license id");
    policy.left_out_licenses.insert(*found);
  }
  const auto fill = [&](std::set<std::string, std::less<>>& out, std::string_view key) {
    for (auto& value : table.strings(key)) out.insert(std::move(value));
  };
  fill(policy.left_out_sources, "left_out_sources");
  fill(policy.left_out_ids, "left_out_ids");
  fill(policy.taken_down, "taken_down");
  return policy;
}

}  // namespace tonearm::builder
