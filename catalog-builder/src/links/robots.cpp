#include "links/robots.h"

#include <algorithm>

#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::builder {
namespace {

/// Whether the pattern matches a prefix of `target`. Backtracks only to the last `*`, so the work is bounded by the
/// product of both lengths.
bool matches(std::string_view pattern, std::string_view target) {
  const bool is_anchored = pattern.ends_with('$');
  if (is_anchored) pattern.remove_suffix(1);
  std::size_t at = 0;
  std::size_t star = std::string_view::npos;
  std::size_t after_star = 0;
  std::size_t i = 0;
  while (i < pattern.size() || (is_anchored && at < target.size())) {
    if (i < pattern.size() && pattern[i] == '*') {
      star = i++;
      after_star = at;
    } else if (i < pattern.size() && at < target.size() && pattern[i] == target[at]) {
      ++i;
      ++at;
    } else if (star != std::string_view::npos && after_star < target.size()) {
      i = star + 1;
      at = ++after_star;
    } else {
      return false;
    }
  }
  return true;
}

struct Line {
  std::string key;
  std::string_view value;
};

Line read_line(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return {};
  return {ascii::to_lower(http_fields::trimmed(line.substr(0, colon))), http_fields::trimmed(line.substr(colon + 1))};
}

}  // namespace

Robots::Robots(std::string_view text, std::string_view agent) {
  text = text.substr(0, kRobotsBytesMax);
  std::vector<Rule> for_all;
  bool names_agent = false;  // a group for `agent` exists
  bool is_ours = false;      // the current group is for `agent`
  bool is_for_all = false;
  bool in_agents = false;  // in the lines that name the group's agents
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of("\r\n"), text.size());
    const auto [key, value] = read_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (key == "user-agent") {
      if (!in_agents) is_ours = is_for_all = false;
      in_agents = true;
      const std::string name = ascii::to_lower(value);
      is_ours = is_ours || name == agent;
      is_for_all = is_for_all || name == "*";
      names_agent = names_agent || name == agent;
      continue;
    }
    if (key != "allow" && key != "disallow") continue;
    in_agents = false;
    if (value.empty()) continue;  // it matches nothing
    const Rule rule{key == "allow", std::string(value)};
    if (is_ours) rules_.push_back(rule);
    if (is_for_all) for_all.push_back(rule);
  }
  if (!names_agent) rules_ = std::move(for_all);
}

bool Robots::allows(std::string_view target) const {
  const Rule* longest = nullptr;
  for (const Rule& rule : rules_) {
    if (!matches(rule.pattern, target)) continue;
    const bool is_longer = longest == nullptr || rule.pattern.size() > longest->pattern.size() ||
                           (rule.pattern.size() == longest->pattern.size() && rule.is_allowed);
    if (is_longer) longest = &rule;
  }
  return longest == nullptr || longest->is_allowed;
}

}  // namespace tonearm::builder
