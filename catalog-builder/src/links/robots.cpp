#include "links/robots.h"

#include <algorithm>

#include "tonearm/ascii.h"
#include "tonearm/http_fields.h"

namespace tonearm::builder {
namespace {

/// Returns the end of the first `part` in `text` after `at`, or npos (Knuth, Morris and Pratt). Takes at most two steps
/// for each byte of both, whatever they contain.
std::size_t end_of_part(std::string_view part, std::string_view text, std::size_t at, std::uint64_t& steps) {
  // borders[n]: the length of the longest proper prefix of part's first n + 1 bytes that they also end with.
  std::vector<std::size_t> borders(part.size());
  const auto extended = [&](std::size_t length, char next) {
    for (; length > 0 && part[length] != next; length = borders[length - 1]) ++steps;
    ++steps;
    return part[length] == next ? length + 1 : 0;
  };
  for (std::size_t i = 1; i < part.size(); ++i) borders[i] = extended(borders[i - 1], part[i]);
  std::size_t length = 0;
  for (; length < part.size() && at < text.size(); ++at) length = extended(length, text[at]);
  return length == part.size() ? at : std::string_view::npos;
}

/// Whether the pattern matches a prefix of `target`. Each text between two `*` may match at its first occurrence, so
/// the work is bounded by the sum of both lengths.
bool matches(std::string_view pattern, std::string_view target, std::uint64_t& steps) {
  const bool is_anchored = pattern.ends_with('$');
  if (is_anchored) pattern.remove_suffix(1);
  auto star = std::min(pattern.find('*'), pattern.size());
  steps += star + 1;
  if (!target.starts_with(pattern.substr(0, star))) return false;
  if (star == pattern.size()) return !is_anchored || target.size() == star;
  std::size_t at = star;
  for (;;) {
    pattern.remove_prefix(star + 1);
    star = pattern.find('*');
    const auto part = pattern.substr(0, star);
    if (star == std::string_view::npos && is_anchored) {
      steps += part.size();
      return target.substr(at).ends_with(part);
    }
    at = end_of_part(part, target, at, steps);
    if (at == std::string_view::npos || star == std::string_view::npos) return at != std::string_view::npos;
  }
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
  // The longest matching rule decides, on a tie Allow, so the first match does.
  std::stable_sort(rules_.begin(), rules_.end(), [](const Rule& one, const Rule& other) {
    return one.pattern.size() != other.pattern.size() ? one.pattern.size() > other.pattern.size()
                                                      : one.is_allowed && !other.is_allowed;
  });
}

bool Robots::allows(std::string_view target, std::uint64_t& steps) const {
  for (const Rule& rule : rules_) {
    if (matches(rule.pattern, target, steps)) return rule.is_allowed;
    if (steps > kRobotsStepsMax) return false;
  }
  return true;
}

}  // namespace tonearm::builder
