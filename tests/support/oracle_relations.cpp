#include "oracle_relations.h"

#include <algorithm>
#include <tuple>

namespace tonearm::test::oracle {

Relations::Relations(const SnapshotOptions& options, Words& words) {
  const auto stems_of = [&](const std::string& text) {
    Phrase stems;
    for (const Token& token : words.of(text)) stems.push_back(token.stem);
    return stems;
  };
  for (const auto& set : options.synonyms) {
    auto& phrases = sets_.emplace_back();
    for (const std::string& text : set) {
      Phrase phrase = stems_of(text);
      if (!phrase.empty() && phrase.size() <= 3) phrases.push_back(std::move(phrase));
    }
  }
  for (const PhraseRelation& relation : options.relations) {
    Step step{stems_of(relation.phrase), stems_of(relation.target), relation.relation, relation.weight};
    const auto is_usable = [](const Phrase& phrase) { return !phrase.empty() && phrase.size() <= 3; };
    if (is_usable(step.from) && is_usable(step.to)) steps_.push_back(std::move(step));
  }
}

std::vector<Relations::Phrase> Relations::same_as(const Phrase& phrase) const {
  std::vector<Phrase> same{phrase};
  for (const auto& set : sets_) {
    if (std::find(set.begin(), set.end(), phrase) != set.end()) same.insert(same.end(), set.begin(), set.end());
  }
  return same;
}

void Relations::follow(const Phrase& phrase, std::uint64_t weight, int same_left, int narrower_left,
                       std::map<Phrase, std::uint64_t>& found) const {
  if (weight > 0) found[phrase] = std::max(found[phrase], weight);
  for (const Step& step : steps_) {
    if (narrower_left == 0 || step.relation != Relation::narrower || step.from != phrase) continue;
    // Each further step costs a quarter.
    const std::uint64_t lighter = std::max<std::uint64_t>(std::min(weight, step.weight) * 3 / 4, 1);
    follow(step.to, weight == 0 ? step.weight : lighter, same_left, narrower_left - 1, found);
  }
  if (same_left == 0) return;
  for (const Phrase& same : same_as(phrase)) follow(same, weight, 0, narrower_left, found);
}

std::vector<Relations::Target> Relations::of(const Phrase& phrase, const TracksWith& tracks_with) const {
  struct Candidate {
    Target target;
    std::uint64_t tracks = 0;
  };
  std::vector<Candidate> candidates;
  const auto add = [&](Relation relation, const std::map<Phrase, std::uint64_t>& found) {
    for (const auto& [target, weight] : found) {
      std::uint64_t tracks = ~std::uint64_t{0};
      for (const std::string& stem : target) tracks = std::min(tracks, tracks_with(stem));
      if (tracks > 0) candidates.push_back({{relation, weight, {target.begin(), target.end()}}, tracks});
    }
  };
  std::map<Phrase, std::uint64_t> narrower;
  follow(phrase, 0, 1, 2, narrower);
  add(Relation::narrower, narrower);
  std::map<Phrase, std::uint64_t> related;
  for (const Phrase& same : same_as(phrase)) {
    for (const Step& step : steps_) {
      if (step.relation == Relation::related && step.from == same) {
        related[step.to] = std::max(related[step.to], step.weight);
      }
    }
  }
  add(Relation::related, related);
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.target.relation, b.target.weight, b.tracks, a.target.terms) <
           std::tie(b.target.relation, a.target.weight, a.tracks, b.target.terms);
  });
  // A target is needless if its tracks match a phrase that is the same, or a better target.
  std::vector<Terms> matched;
  for (const Phrase& same : same_as(phrase)) matched.emplace_back(same.begin(), same.end());
  std::map<Relation, std::size_t> kept;
  std::vector<Target> targets;
  for (const Candidate& candidate : candidates) {
    const Target& target = candidate.target;
    const bool is_needless = std::any_of(matched.begin(), matched.end(), [&](const Terms& terms) {
      return std::includes(target.terms.begin(), target.terms.end(), terms.begin(), terms.end());
    });
    if (is_needless || kept[target.relation] == (target.relation == Relation::narrower ? 48U : 24U)) continue;
    ++kept[target.relation];
    matched.push_back(target.terms);
    targets.push_back(target);
  }
  return targets;
}

}  // namespace tonearm::test::oracle
