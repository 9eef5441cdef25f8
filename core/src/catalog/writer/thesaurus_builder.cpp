#include "catalog/writer/thesaurus_builder.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "tonearm/result.h"

namespace tonearm::catalog {
namespace {

/// Returns the weight of a chain that is one step longer. `before`: 0 for the first step.
std::uint8_t chain_weight(std::uint8_t before, std::uint8_t step) {
  if (before == 0) return step;
  return static_cast<std::uint8_t>(std::max(std::min(before, step) * 3 / 4, 1));
}

void keep_highest(std::map<std::size_t, std::uint8_t>& weights, std::size_t target, std::uint8_t weight) {
  std::uint8_t& kept = weights[target];
  kept = std::max(kept, weight);
}

bool includes(const std::vector<std::string>& terms, const std::vector<std::string>& others) {
  return std::includes(terms.begin(), terms.end(), others.begin(), others.end());
}

/// A target with posting lists, not yet among the best.
struct Candidate {
  ThesaurusTarget target;
  std::uint64_t tracks = 0;  // with its rarest term
  const std::vector<std::string>* terms = nullptr;

  /// Narrower targets come first, then heavier ones, then those that more tracks have.
  friend bool operator<(const Candidate& a, const Candidate& b) {
    return std::tie(a.target.relation, b.target.weight, b.tracks, *a.terms) <
           std::tie(b.target.relation, a.target.weight, a.tracks, *b.terms);
  }
};

}  // namespace

ThesaurusBuilder::ThesaurusBuilder(std::span<const std::vector<std::string>> synonyms,
                                   std::span<const PhraseRelation> relations, Tokenizer& tokenizer) {
  for (const auto& set : synonyms) {
    std::vector<std::size_t> numbers;
    for (const std::string& text : set) {
      if (const auto number = number_of(text, tokenizer)) numbers.push_back(*number);
    }
    for (const std::size_t number : numbers) {
      auto& same = phrases_[number].same;
      same.insert(same.end(), numbers.begin(), numbers.end());
    }
  }
  for (const PhraseRelation& relation : relations) {
    if (relation.weight == 0) throw Failure("the relation of " + relation.phrase + " has no weight");
    const auto phrase = number_of(relation.phrase, tokenizer);
    const auto target = number_of(relation.target, tokenizer);
    if (!phrase || !target) continue;
    auto& steps = relation.relation == Relation::narrower ? phrases_[*phrase].narrower : phrases_[*phrase].related;
    if (steps.size() == kRelationsMax)
      throw Failure(relation.phrase + " has more than " + std::to_string(kRelationsMax) + " relations of a kind");
    steps.push_back({*target, relation.weight});
  }
}

std::optional<std::size_t> ThesaurusBuilder::number_of(std::string_view text, Tokenizer& tokenizer) {
  std::vector<std::string> stems;
  tokenizer.each_stem(text, [&](std::string_view stem) { stems.emplace_back(stem); });
  if (stems.empty() || stems.size() > kRelatedWordsMax) return std::nullopt;
  const auto [found, is_new] = numbers_.emplace(stems, phrases_.size());
  if (is_new) {
    std::vector<std::string> terms = stems;
    std::sort(terms.begin(), terms.end());
    terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
    phrases_.push_back({std::move(stems), std::move(terms), {}, {}, {}});
  }
  return found->second;
}

std::vector<std::string> ThesaurusBuilder::stems() const {
  std::set<std::string> all;
  for (const Phrase& phrase : phrases_) all.insert(phrase.terms.begin(), phrase.terms.end());
  return {all.begin(), all.end()};
}

void ThesaurusBuilder::collect_narrower(std::size_t phrase, std::uint8_t weight, StepsLeft left, Weights& found) const {
  if (weight > 0) keep_highest(found, phrase, weight);
  if (left.narrower > 0) {
    for (const auto& [target, step] : phrases_[phrase].narrower) {
      collect_narrower(target, chain_weight(weight, step), {left.same, left.narrower - 1}, found);
    }
  }
  if (left.same == 0) return;
  for (const std::size_t same : phrases_[phrase].same) collect_narrower(same, weight, {0, left.narrower}, found);
}

ThesaurusBuilder::Weights ThesaurusBuilder::narrower_of(std::size_t phrase) const {
  Weights found;
  collect_narrower(phrase, 0, {}, found);
  return found;
}

ThesaurusBuilder::Weights ThesaurusBuilder::related_of(std::size_t phrase) const {
  Weights found;
  const auto collect = [&](std::size_t from) {
    for (const auto& [target, weight] : phrases_[from].related) keep_highest(found, target, weight);
  };
  collect(phrase);
  for (const std::size_t same : phrases_[phrase].same) collect(same);
  return found;
}

/// A target is omitted if its tracks match anyway: its terms include those of the phrase, of a phrase that is the same,
/// or of a better target.
std::vector<ThesaurusTarget> ThesaurusBuilder::targets_of(std::size_t phrase, const LocationOf& location_of) const {
  std::vector<Candidate> candidates;
  const auto add = [&](Relation relation, const Weights& weights) {
    for (const auto& [number, weight] : weights) {
      Candidate candidate{{relation, weight, {}}, ~std::uint64_t{0}, &phrases_[number].terms};
      for (const std::string& term : *candidate.terms) {
        const auto location = location_of(term);
        if (!location) break;
        const auto [music, effects, speech] = location->counts;
        candidate.tracks = std::min(candidate.tracks, std::uint64_t{music} + effects + speech);
        candidate.target.terms.push_back(*location);
      }
      if (candidate.target.terms.size() == candidate.terms->size()) candidates.push_back(std::move(candidate));
    }
  };
  add(Relation::narrower, narrower_of(phrase));
  add(Relation::related, related_of(phrase));
  std::sort(candidates.begin(), candidates.end());

  std::vector<const std::vector<std::string>*> matched{&phrases_[phrase].terms};
  for (const std::size_t same : phrases_[phrase].same) matched.push_back(&phrases_[same].terms);
  std::vector<ThesaurusTarget> targets;
  std::array<std::size_t, 2> places{kNarrowerMax, kRelatedMax};
  for (Candidate& candidate : candidates) {
    const bool is_matched = std::any_of(matched.begin(), matched.end(),
                                        [&](const auto* terms) { return includes(*candidate.terms, *terms); });
    std::size_t& left = places.at(static_cast<std::size_t>(candidate.target.relation));
    if (is_matched || left == 0) continue;
    --left;
    matched.push_back(candidate.terms);
    targets.push_back(std::move(candidate.target));
  }
  return targets;
}

std::string ThesaurusBuilder::finish(const LocationOf& location_of) const {
  std::vector<ThesaurusEntry> entries;
  for (std::size_t number = 0; number < phrases_.size(); ++number) {
    auto targets = targets_of(number, location_of);
    if (!targets.empty()) entries.push_back({thesaurus_hash(phrases_[number].stems), std::move(targets)});
  }
  return encode_thesaurus(std::move(entries));
}

}  // namespace tonearm::catalog
