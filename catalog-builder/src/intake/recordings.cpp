#include "intake/recordings.h"

#include <algorithm>
#include <utility>

namespace tonearm::builder {

Recordings::Index Recordings::add(const std::string& id) {
  if (const auto found = ids_.find(id)) return *found;
  const auto recording = static_cast<Index>(nodes_.size());
  ids_.add(id);
  nodes_.push_back({recording});
  return recording;
}

std::optional<Recordings::Index> Recordings::find(const std::string& id) const {
  const auto found = ids_.find(id);
  if (!found) return std::nullopt;
  return root_of(*found);
}

std::optional<std::uint32_t> Recordings::track(Index recording) const {
  const auto track = nodes_[root_of(recording)].track;
  return track == kNone ? std::nullopt : std::optional(track);
}

Recordings::Index Recordings::root_of(Index recording) const {
  while (nodes_[recording].parent != recording) {
    auto& parent = nodes_[recording].parent;
    parent = nodes_[parent].parent;
    recording = parent;
  }
  return recording;
}

void Recordings::merge(Index one, Index other) {
  const auto root = std::min(root_of(one), root_of(other));
  const auto merged = std::max(root_of(one), root_of(other));
  if (root == merged) return;
  nodes_[merged].parent = root;
  for (const auto& statement : statements(merged)) add_to_root(root, statement);
  if (const auto found = made_from_.find(merged); found != made_from_.end()) {
    auto& made_from = made_from_[root];
    made_from.insert(made_from.end(), found->second.begin(), found->second.end());
    made_from_.erase(found);
  }
  if (nodes_[root].track == kNone) nodes_[root].track = nodes_[merged].track;
}

std::vector<LicenseStatement> Recordings::statements(Index root) const {
  std::vector<LicenseStatement> result;
  for (auto at = nodes_[root].statement; at != kNone; at = statements_[at].next) {
    const auto& stated = statements_[at];
    result.push_back({std::string(licenses_.text(stated.license)), stated.line, stated.input});
  }
  return result;
}

bool Recordings::add_to_root(Index root, const LicenseStatement& statement) {
  auto license = licenses_.find(statement.id);
  if (!license) {
    license = licenses_.size();
    licenses_.add(statement.id);
  }
  auto* end = &nodes_[root].statement;
  for (; *end != kNone; end = &statements_[*end].next) {
    if (statements_[*end].license == *license) return false;
  }
  *end = static_cast<std::uint32_t>(statements_.size());
  statements_.push_back({statement.line, static_cast<std::uint32_t>(statement.input), *license, kNone});
  return true;
}

void Recordings::add_statement(Index recording, const LicenseStatement& statement) {
  add_to_root(root_of(recording), statement);
}

void Recordings::add_original(Index recording, const std::string& original_id) {
  const auto original = add(original_id);
  made_from_[root_of(recording)].push_back(original);
}

void Recordings::add_address(Index recording, const std::string& address) {
  if (const auto found = addresses_.find(address)) return merge(recording, recording_of_address_[*found]);
  addresses_.add(address);
  recording_of_address_.push_back(recording);
}

void Recordings::propagate() {
  Links originals;
  Links copies;
  for (const auto& [recording, all] : made_from_) {
    for (const auto made_from : all) {
      const auto original = root_of(made_from);
      if (original == recording) continue;
      originals[recording].push_back(original);
      copies[original].push_back(recording);
    }
  }
  propagate_along(originals);
  propagate_along(copies);
}

/// Visits a recording again only if it has new statements, so cycles end.
void Recordings::propagate_along(const Links& links) {
  std::vector<Index> pending;
  pending.reserve(links.size());
  for (const auto& [from, to] : links) pending.push_back(from);
  while (!pending.empty()) {
    const auto from = pending.back();
    pending.pop_back();
    for (const auto to : links.at(from)) {
      bool has_new = false;
      for (const auto& statement : statements(from)) has_new = add_to_root(to, statement) || has_new;
      if (has_new && links.contains(to)) pending.push_back(to);
    }
  }
}

std::optional<Recordings::Verdict> Recordings::verdict(const std::string& id) const {
  const auto recording = find(id);
  if (!recording || nodes_[*recording].statement == kNone) return std::nullopt;
  const auto stated = statements(*recording);
  const auto resolution = resolve(stated);
  Verdict verdict{stated[resolution.chosen], std::nullopt, resolution.is_contradictory};
  if (resolution.differing) verdict.milder = stated[*resolution.differing];
  return verdict;
}

std::vector<Recordings::Contradiction> Recordings::contradictions() const {
  std::vector<Contradiction> result;
  for (Index i = 0; i < nodes_.size(); ++i) {
    if (root_of(i) != i) continue;
    const std::string id(ids_.text(i));
    if (auto found = verdict(id); found && found->milder) {
      result.push_back({id, std::move(found->strictest), std::move(*found->milder)});
    }
  }
  return result;
}

}  // namespace tonearm::builder
