#include "catalog/match.h"

#include <algorithm>
#include <map>

#include "catalog/score.h"

namespace tonearm::catalog {
namespace {

using Hits = std::vector<Hit>;

/// Words of one query; each is read once, however many groups name it.
class ScoredWords {
 public:
  ScoredWords(Index& index, std::uint32_t tracks) : index_(index), tracks_(tracks) {}

  std::uint32_t count(const std::string& word) {
    const auto [at, is_new] = counts_.try_emplace(word, 0);
    if (is_new) at->second = index_.tracks_with(word);
    return at->second;
  }

  const Hits& hits(const std::string& word) {
    const auto [at, is_new] = hits_.try_emplace(word);
    if (is_new) at->second = read(word);
    return at->second;
  }

 private:
  Hits read(const std::string& word) {
    Hits hits;
    const WordPostings postings = index_.word(word);
    if (postings.positions.empty()) return hits;
    if (postings.positions.size() > tracks_) damaged("a word stands in more tracks than can be found");
    const std::uint32_t weight = word_weight(postings.positions.size(), tracks_);
    hits.reserve(postings.positions.size());
    for (std::size_t i = 0; i < postings.positions.size(); ++i) {
      hits.push_back({postings.positions[i], add_score(0, std::uint64_t{weight} * postings.impacts[i])});
    }
    return hits;
  }

  Index& index_;
  std::uint32_t tracks_;
  std::map<std::string, std::uint32_t> counts_;
  std::map<std::string, Hits> hits_;
};

bool is_before(const Hit& a, const Hit& b) { return a.position < b.position; }

// Keeps in `few` what `many` has too. Looks each up where `many` is much longer.
void intersect(Hits& few, const Hits& many) {
  auto kept = few.begin();
  auto at = many.begin();
  const bool steps = many.size() / 16 < few.size();
  for (const Hit& hit : few) {
    if (steps) {
      while (at != many.end() && at->position < hit.position) ++at;
    } else {
      at = std::lower_bound(at, many.end(), hit, is_before);
    }
    if (at == many.end()) break;
    if (at->position == hit.position) *kept++ = {hit.position, add_score(hit.score, at->score)};
  }
  few.erase(kept, few.end());
}

Hits unite(const Hits& a, const Hits& b) {
  Hits both;
  both.reserve(a.size() + b.size());
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() && y != b.end()) {
    if (x->position < y->position) {
      both.push_back(*x++);
    } else if (y->position < x->position) {
      both.push_back(*y++);
    } else {
      both.push_back({x->position, std::max(x->score, y->score)});
      ++x;
      ++y;
    }
  }
  both.insert(both.end(), x, a.end());
  both.insert(both.end(), y, b.end());
  return both;
}

Hits match_phrase(Phrase phrase, ScoredWords& words) {
  std::stable_sort(phrase.begin(), phrase.end(),
                   [&](const auto& a, const auto& b) { return words.count(a) < words.count(b); });
  if (words.count(phrase.front()) == 0) return {};
  Hits hits = words.hits(phrase.front());
  for (std::size_t i = 1; i < phrase.size() && !hits.empty(); ++i) intersect(hits, words.hits(phrase[i]));
  return hits;
}

// An upper bound of what a group matches, from counts alone.
std::uint64_t most_matches(const WordGroup& group, ScoredWords& words) {
  std::uint64_t most = 0;
  for (const Phrase& phrase : group.phrases) {
    std::uint32_t least = 0xffff'ffffU;
    for (const auto& word : phrase) least = std::min(least, words.count(word));
    most += least;
  }
  return most;
}

}  // namespace

std::vector<Hit> match_groups(std::span<const WordGroup> groups, Index& index, std::uint32_t tracks) {
  ScoredWords words(index, tracks);
  std::vector<std::pair<std::uint64_t, const WordGroup*>> rarest_first;
  for (const WordGroup& group : groups) rarest_first.emplace_back(most_matches(group, words), &group);
  std::stable_sort(rarest_first.begin(), rarest_first.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  // A group without any match leaves nothing: no posting needs to be read.
  if (rarest_first.front().first == 0) return {};

  Hits matches;
  bool is_first = true;
  for (const auto& [most, group] : rarest_first) {
    Hits hits;
    for (const Phrase& phrase : group->phrases) hits = unite(hits, match_phrase(phrase, words));
    if (is_first) {
      matches = std::move(hits);
    } else {
      intersect(matches, hits);
    }
    is_first = false;
    if (matches.empty()) break;
  }
  return matches;
}

}  // namespace tonearm::catalog
