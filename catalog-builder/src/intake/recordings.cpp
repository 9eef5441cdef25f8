#include "intake/recordings.h"

#include <algorithm>

namespace tonearm::builder {

Recordings::Index Recordings::add(const std::string& id) {
  const auto [found, is_new] = by_id_.try_emplace(id, static_cast<Index>(nodes_.size()));
  if (is_new) nodes_.push_back({&found->first, found->second, {}, {}, {}});
  return found->second;
}

std::optional<Recordings::Index> Recordings::find(const std::string& id) const {
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return std::nullopt;
  return root_of(found->second);
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
  auto& node = nodes_[merged];
  node.parent = root;
  for (const auto& statement : node.statements) add_to_root(root, statement);
  node.statements = {};
  auto& made_from = nodes_[root].made_from;
  made_from.insert(made_from.end(), node.made_from.begin(), node.made_from.end());
  if (!nodes_[root].track) nodes_[root].track = node.track;
}

bool Recordings::add_to_root(Index root, const LicenseStatement& statement) {
  auto& all = nodes_[root].statements;
  const bool is_known = std::any_of(all.begin(), all.end(), [&](const auto& one) { return one.id == statement.id; });
  if (!is_known) all.push_back(statement);
  return !is_known;
}

void Recordings::add_statement(Index recording, const LicenseStatement& statement) {
  add_to_root(root_of(recording), statement);
}

void Recordings::add_original(Index recording, const std::string& original_id) {
  const auto original = add(original_id);
  nodes_[root_of(recording)].made_from.push_back(original);
}

void Recordings::add_address(Index recording, const std::string& address) {
  merge(recording, by_address_.try_emplace(address, recording).first->second);
}

void Recordings::propagate() {
  Links originals;
  Links copies;
  for (Index i = 0; i < nodes_.size(); ++i) {
    if (root_of(i) != i) continue;
    for (const auto made_from : nodes_[i].made_from) {
      const auto original = root_of(made_from);
      if (original == i) continue;
      originals[i].push_back(original);
      copies[original].push_back(i);
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
      for (const auto& statement : nodes_[from].statements) has_new = add_to_root(to, statement) || has_new;
      if (has_new && links.contains(to)) pending.push_back(to);
    }
  }
}

std::optional<Recordings::Verdict> Recordings::verdict(const std::string& id) const {
  const auto recording = find(id);
  if (!recording || nodes_[*recording].statements.empty()) return std::nullopt;
  const auto& statements = nodes_[*recording].statements;
  const auto resolution = resolve(statements);
  Verdict verdict{statements[resolution.chosen], std::nullopt, resolution.is_contradictory};
  if (resolution.differing) verdict.milder = statements[*resolution.differing];
  return verdict;
}

std::vector<Recordings::Contradiction> Recordings::contradictions() const {
  std::vector<Contradiction> result;
  for (Index i = 0; i < nodes_.size(); ++i) {
    if (root_of(i) != i) continue;
    const auto& id = *nodes_[i].id;
    if (auto found = verdict(id); found && found->milder) {
      result.push_back({id, std::move(found->strictest), std::move(*found->milder)});
    }
  }
  return result;
}

}  // namespace tonearm::builder
