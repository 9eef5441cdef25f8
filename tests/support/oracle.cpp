#include "oracle.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "oracle_filters.h"
#include "oracle_variants.h"
#include "text/unicode.h"

namespace tonearm::test::oracle {
namespace {

__extension__ using Wide = unsigned __int128;

// SEARCH-5, copied from the specification.
const std::string kFunctionWords =
    " a an and are as at be by for from in into is it its my of on or our some that the their this to with your music "
    "song songs track tracks tune sound sounds effect effects sfx audio ";

bool is_function_word(const std::string& whole) { return kFunctionWords.find(' ' + whole + ' ') != std::string::npos; }

/// floor(256 * log2(x)), with more digits than needed.
std::uint64_t log2_in_256ths(std::uint64_t x) {
  std::uint64_t whole = 0;
  while (x >> (whole + 1) != 0) ++whole;
  std::uint64_t mantissa = x << (63 - whole);  // 1..2 as a fraction of 2^63
  std::uint64_t result = whole;
  for (int digit = 0; digit < 8; ++digit) {
    Wide square = Wide{mantissa} * mantissa >> 63U;
    const bool one = square >> 64U != 0;
    if (one) square >>= 1U;
    mantissa = static_cast<std::uint64_t>(square);
    result = result * 2 + (one ? 1 : 0);
  }
  return result;
}

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31U);
}

std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return mix(hash);
}

/// Returns the rank of each position in a seed's shuffle by walking through all ranks (docs/snapshot-format.md).
std::vector<std::uint64_t> ranks_of_seed(const std::string& seed, std::size_t positions) {
  int bits = 1;
  while ((std::size_t{1} << bits) < positions) ++bits;
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::vector<std::uint64_t> rank_of(mask + 1);
  for (std::uint64_t rank = 0; rank <= mask; ++rank) {
    std::uint64_t state = hash_of(seed);
    std::uint64_t at = rank;
    for (int round = 0; round < 4; ++round) {
      state = mix(state + 0x9e3779b97f4a7c15U);
      at *= state | 1U;
      state = mix(state + 0x9e3779b97f4a7c15U);
      at = (at + state) & mask;
      at ^= at >> ((bits + 1) / 2);
    }
    rank_of.at(at) = rank;
  }
  return rank_of;
}

std::uint64_t count_tags(const Track& track) {
  std::uint64_t count = 0;
  for (const auto& of_facet : track.tags) count += of_facet.size();
  return count;
}

/// Returns the mean of all values but 0 in 1/256, rounded; 256 if there are none.
std::uint64_t mean_of_positive(const std::vector<std::uint64_t>& values) {
  const auto count = static_cast<std::uint64_t>(values.size()) -
                     static_cast<std::uint64_t>(std::count(values.begin(), values.end(), std::uint64_t{0}));
  if (count == 0) return 256;
  return (512 * std::accumulate(values.begin(), values.end(), std::uint64_t{0}) + count) / (2 * count);
}

/// Returns min(count, 2) / (1 - b + b * length / average) in 1/16,384, times the weight in 1/64. Lengths are numbers,
/// the average in 1/256.
std::uint64_t by_length(std::uint64_t weight, std::uint64_t count, std::uint64_t length, std::uint64_t average,
                        std::uint64_t b_percent) {
  const Wide divisor = Wide{100 - b_percent} * average + Wide{b_percent} * length * 256;
  return static_cast<std::uint64_t>(Wide{weight} * std::min<std::uint64_t>(count, 2) * average * 25'600 / divisor);
}

bool collapses(const Parameters& parameters) {
  return contains(parameters, "variants") && parameters.at("variants") == "collapse";
}

/// Returns the partition of the numbering: music, effects, speech, taken down.
int partition_of(const Track& track) {
  if (track.taken_down) return 3;
  if (track.kind == Kind::music) return 0;
  return is_speech(track) ? 2 : 1;
}

}  // namespace

Oracle::Oracle(const std::vector<Track>& tracks, const SnapshotOptions& options, Words& words)
    : tracks_(tracks),
      tag_labels_(options.tag_labels),
      words_(words),
      texts_(tracks.size()),
      position_(tracks.size()),
      family_(families_of(tracks)),
      turn_(tracks.size()) {
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    read_texts(i, options);
    if (tracks[i].taken_down) continue;
    ++findable_;
    for (const auto& [word, mentions] : texts_[i].words) ++document_frequencies_[word];
  }
  for (const auto& set : options.synonyms) {
    auto& texts = synonyms_.emplace_back();
    auto& phrases = synonym_texts_.emplace_back();
    for (const auto& phrase : set) {
      phrases.push_back(words_.of(phrase));
      auto& stems = texts.emplace_back();
      for (const Token& token : words_.of(phrase)) stems.push_back(token.stem);
    }
  }
  average_lengths();
  std::vector<std::size_t> order(tracks.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto key = [&](std::size_t i) {
      return std::make_tuple(partition_of(tracks[i]), hash_of(tracks[i].id), tracks[i].id);
    };
    return key(a) < key(b);
  });
  for (std::size_t i = 0; i < order.size(); ++i) position_[order[i]] = static_cast<std::uint32_t>(i);
  count_turns();
  choose_spellings();
}

/// Averages the fields over the tracks that have them.
void Oracle::average_lengths() {
  std::vector<std::uint64_t> titles;
  std::vector<std::uint64_t> tags;
  std::vector<std::uint64_t> descriptions;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    if (tracks_[i].taken_down) continue;
    titles.push_back(texts_[i].title.size());
    tags.push_back(count_tags(tracks_[i]));
    descriptions.push_back(texts_[i].description);
  }
  averages_ = {mean_of_positive(titles), mean_of_positive(tags), mean_of_positive(descriptions)};
}

void Oracle::count_turns() {
  std::vector<std::string> artists;
  for (const Track& track : tracks_) artists.push_back(track.taken_down ? "" : text::fold_case(track.artist));
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    for (std::size_t other = 0; other < tracks_.size(); ++other) {
      if (artists[i].empty() || artists[other] != artists[i]) continue;
      const Track& a = tracks_[other];
      const Track& b = tracks_[i];
      if (a.quality > b.quality || (a.quality == b.quality && a.id < b.id)) ++turn_[i];
    }
  }
}

void Oracle::read_texts(std::size_t index, const SnapshotOptions& options) {
  const Track& track = tracks_[index];
  Texts& texts = texts_[index];
  // SEARCH-3: a tidied title stands for the title, whose own words are then like those of a description.
  const bool is_tidied = !track.matching_title.empty();
  for (const Token& token : words_.of(is_tidied ? track.matching_title : track.title))
    ++texts.words[token.stem].title, texts.title.push_back(token.stem);
  if (is_tidied) {
    for (const Token& token : words_.of(track.title)) {
      Occurrences& occurrences = texts.words[token.stem];
      if (occurrences.title == 0) ++occurrences.description;
      texts.original.push_back(token.stem);
    }
  }
  for (const std::string& word : track.matching_words) {
    for (const Token& token : words_.of(word)) ++texts.words[token.stem].description;
  }
  for (const Token& token : words_.of(track.artist))
    ++texts.words[token.stem].artist, texts.artist.push_back(token.stem);
  for (const Token& token : words_.of(track.description)) ++texts.words[token.stem].description, ++texts.description;
  if (track.category) {
    for (const Token& token : words_.of(std::string(kCategories[*track.category].label))) {
      ++texts.words[token.stem].category;
    }
  }
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    for (const std::string& tag : track.tags[facet]) {
      std::vector<std::string> names{tag};
      const auto label = options.tag_labels[facet].find(tag);
      if (label != options.tag_labels[facet].end()) names.push_back(label->second);
      std::set<std::string> of_tag;
      std::set<std::string> alone;
      for (const std::string& name : names) {
        const auto& words = words_.of(name);
        if (words.size() == 1) alone.insert(words.front().stem);
        for (const Token& token : words) of_tag.insert(token.stem);
      }
      for (const auto& word : of_tag) ++texts.words[word].tags;
      for (const auto& word : alone) ++texts.words[word].whole_tags;
    }
  }
}

std::pair<std::size_t, Oracle::Clause> Oracle::longest_phrase(const std::vector<Token>& words, std::size_t at) const {
  std::size_t longest = 0;
  Clause clause;
  for (const auto& set : synonyms_) {
    for (const auto& phrase : set) {
      const std::size_t length = phrase.size();
      if (length == 0 || length < longest || at + length > words.size()) continue;
      if (!std::equal(phrase.begin(), phrase.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                      [](const std::string& a, const Token& b) { return a == b.stem; })) {
        continue;
      }
      if (length > longest) clause.clear();
      longest = length;
      for (const auto& each : set) {
        if (!each.empty()) clause.insert(TermSet(each.begin(), each.end()));
      }
    }
  }
  return {longest, clause};
}

std::vector<Oracle::QueryClause> Oracle::query_clauses(const std::string& q) const {
  const std::vector<Token>& words = words_.of(q);
  std::vector<QueryClause> content;
  std::vector<QueryClause> function;
  for (std::size_t at = 0; at < words.size();) {
    auto [length, clause] = longest_phrase(words, at);
    if (length == 0) clause = {TermSet{words[at].stem}};
    const bool is_content = length > 1 || !is_function_word(words[at].whole);
    const std::size_t end = at + std::max<std::size_t>(length, 1);
    TermSet query_terms;
    for (; at < end; ++at) query_terms.insert(words[at].stem);
    (is_content ? content : function).push_back({clause, query_terms});
  }
  return content.empty() ? function : content;
}

Oracle::Clauses Oracle::clauses_of(const std::string& q, std::size_t words_max) const {
  Clauses clauses;
  for (const auto& [clause, query_terms] : query_clauses(q)) {
    if (clauses.count(clause) == 0 && clauses.size() == words_max) continue;
    clauses[clause].insert(query_terms);
  }
  return clauses;
}

/// Returns the distinct words that match=most counts, in the order of `q`; none for other searches.
std::vector<Oracle::Clause> Oracle::counted_clauses(const Parameters& parameters) const {
  std::vector<Clause> counted;
  if (!contains(parameters, "match") || parameters.at("match") != "most" || !contains(parameters, "q")) return counted;
  for (const QueryClause& each : query_clauses(parameters.at("q"))) {
    const bool is_new = std::find(counted.begin(), counted.end(), each.clause) == counted.end();
    if (is_new && counted.size() < 8) counted.push_back(each.clause);
  }
  return counted;
}

bool Oracle::passes(std::size_t index, const Parameters& parameters) const {
  const Track& track = tracks_[index];
  const std::string kind = contains(parameters, "kind") ? parameters.at("kind") : "music";
  if (track.taken_down || kind != kKindNames[static_cast<std::size_t>(track.kind)]) return false;
  if (!passes_filters(track, parameters)) return false;
  if (!contains(parameters, "exclude")) return true;
  const std::vector<std::string> phrases = list(parameters.at("exclude"));
  return std::none_of(phrases.begin(), phrases.end(), [&](const std::string& phrase) {
    TermSet words;
    for (const Token& word : words_.of(phrase)) words.insert(word.stem);
    return !words.empty() && holds(index, {words});
  });
}

bool Oracle::holds(std::size_t index, const Clause& clause) const {
  const auto has_word = [&](const std::string& word) { return texts_[index].words.count(word) != 0; };
  return std::any_of(clause.begin(), clause.end(),
                     [&](const TermSet& term_set) { return std::all_of(term_set.begin(), term_set.end(), has_word); });
}

std::size_t Oracle::count_words(std::size_t index, const std::vector<Clause>& clauses) const {
  return static_cast<std::size_t>(
      std::count_if(clauses.begin(), clauses.end(), [&](const Clause& clause) { return holds(index, clause); }));
}

std::vector<std::size_t> Oracle::matching(const Parameters& parameters, const Clauses& clauses) const {
  const std::vector<Clause> counted = counted_clauses(parameters);
  std::vector<std::size_t> members;
  std::size_t most = 0;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    if (!passes(i, parameters)) continue;
    const bool has_all =
        std::all_of(clauses.begin(), clauses.end(), [&](const auto& clause) { return holds(i, clause.first); });
    if (counted.empty() && !has_all) continue;
    members.push_back(i);
    most = std::max(most, count_words(i, counted));
  }
  if (counted.empty()) return members;
  std::vector<std::size_t> best_tiers;
  for (const std::size_t i : members) {
    const std::size_t count = count_words(i, counted);
    if (count > 0 && count + 1 >= most) best_tiers.push_back(i);
  }
  return best_tiers;
}

std::uint64_t Oracle::impact(std::size_t track, const std::string& word) const {
  const Texts& texts = texts_[track];
  const auto found = texts.words.find(word);
  if (found == texts.words.end()) return 0;
  const Occurrences& m = found->second;
  const std::uint64_t tags = count_tags(tracks_[track]);
  // Weights in 1/64: title 1.5, a tag 2, a tag of this word alone 1 more, artist 0.25, category 0.5, description 1.
  std::uint64_t sum = by_length(96, m.title, texts.title.size(), averages_.title, 65);
  sum += by_length(128, m.tags, tags, averages_.tags, 30) + by_length(64, m.whole_tags, tags, averages_.tags, 30);
  sum += 256 * (16 * std::uint64_t{std::min(m.artist, 2U)} + 32 * std::uint64_t{std::min(m.category, 2U)});
  sum += by_length(64, m.description, texts.description, averages_.description, 75);
  const std::uint64_t saturated = 255 * sum / (sum + 256 * 256);  // k1 is 4
  const std::uint64_t quality = tracks_[track].quality * 2 / 1000;
  if (m.title > 0 && texts.title.size() == 1) return std::clamp<std::uint64_t>(saturated, 140, 253) + quality;
  return std::clamp<std::uint64_t>(saturated, 1, 137) + quality;
}

std::uint64_t Oracle::weight(const std::string& word) const {
  const auto found = document_frequencies_.find(word);
  if (found == document_frequencies_.end()) return 0;
  const std::uint64_t with = found->second;
  const std::uint64_t ratio = 256 + 256 * (2 * (findable_ - with) + 1) / (2 * with + 1);
  return std::max<std::uint64_t>(log2_in_256ths(ratio) - 2048, 1);
}

/// SORT-7: a synonym gets half of its boost, and at most half of what the query words would get.
std::uint64_t Oracle::limited(std::uint64_t boost, const Phrase& phrase, bool is_tag) const {
  if (phrase.query_tokens.empty()) return boost;
  std::uint64_t weights = 0;
  for (const Token& word : phrase.query_tokens) {
    if (weight(word.stem) == 0) return boost / 2;
    weights += weight(word.stem);
  }
  std::uint64_t most = 0;
  if (phrase.query_tokens.size() == 1) {
    most = 64 * weights / (is_tag ? 1 : phrase.words.size() - 1);
  } else {
    most = is_tag ? 77 * weights : 51 * weights;
  }
  return std::min(boost, most) / 2;
}

/// Returns the boost of a phrase whose words are adjacent in the title or are a tag; each counts once.
std::uint64_t Oracle::boost_of_phrase(std::size_t track, const Phrase& phrase, Adjacent& counted) const {
  const auto is_adjacent_in = [](const std::vector<std::string>& title, const std::vector<std::string>& pair) {
    return std::search(title.begin(), title.end(), pair.begin(), pair.end()) != title.end();
  };
  const std::vector<Token>& words = phrase.words;
  const std::size_t considered = std::min<std::size_t>(words.size(), 16);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i + 1 < considered; ++i) {
    const std::vector<std::string> pair{words[i].stem, words[i + 1].stem};
    if (!counted.pairs.emplace(pair[0], pair[1]).second) continue;
    if (!is_adjacent_in(texts_[track].title, pair) && !is_adjacent_in(texts_[track].original, pair)) continue;
    sum += limited(51 * (weight(pair[0]) + weight(pair[1])), phrase, false);
  }
  for (std::size_t i = 0; i + 1 < considered; ++i) {
    std::string tag = words[i].whole;
    std::uint64_t weights = weight(words[i].stem);
    for (std::size_t k = i + 1; k < considered && k < i + 3; ++k) {
      tag += '-' + words[k].whole;
      weights += weight(words[k].stem);
      if (!counted.tags.insert(tag).second) continue;
      for (const auto& of_facet : tracks_[track].tags) {
        const bool has_tag = std::find(of_facet.begin(), of_facet.end(), tag) != of_facet.end();
        if (has_tag) sum += limited(77 * weights, phrase, true);
      }
    }
  }
  return sum;
}

std::vector<Oracle::Phrase> Oracle::synonyms_of(const std::vector<Token>& words) const {
  std::vector<Phrase> found;
  for (std::size_t at = 0; at < words.size() && at < 16;) {
    const std::size_t length = longest_phrase(words, at).first;
    std::vector<Token> typed;
    std::vector<std::string> stems;
    for (std::size_t i = at; i < at + length; ++i) typed.push_back(words[i]), stems.push_back(words[i].stem);
    for (std::size_t set = 0; length > 0 && set < synonyms_.size(); ++set) {
      if (std::find(synonyms_[set].begin(), synonyms_[set].end(), stems) == synonyms_[set].end()) continue;
      for (const auto& phrase : synonym_texts_[set]) found.push_back({phrase, typed});
    }
    at += std::max<std::size_t>(length, 1);
  }
  return found;
}

std::uint64_t Oracle::boost(std::size_t track, const std::string& q) const {
  const std::vector<Token>& typed = words_.of(q);
  Adjacent counted;
  std::uint64_t sum = boost_of_phrase(track, {typed, {}}, counted);
  for (const Phrase& phrase : synonyms_of(typed)) sum += boost_of_phrase(track, phrase, counted);
  if (typed.size() < 2) return sum;
  std::vector<std::string> words;
  words.reserve(typed.size());
  for (const Token& token : typed) words.push_back(token.stem);
  const std::vector<std::string>& artist = texts_[track].artist;
  const auto joined = [](std::initializer_list<std::vector<std::string>> parts) {
    std::vector<std::string> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  };
  const auto names = [&](const std::vector<std::string>& title) {
    const bool both = !title.empty() && !artist.empty();
    return words == title || (both && (words == joined({title, artist}) || words == joined({artist, title}) ||
                                       words == joined({title, {"by"}, artist})));
  };
  if (names(texts_[track].title) || names(texts_[track].original)) sum += 1U << 24U;
  if (words == artist) sum += 300'000;
  return sum;
}

std::uint64_t Oracle::score(std::size_t track, const Clauses& clauses) const {
  std::uint64_t sum = 0;
  for (const auto& [clause, query_terms] : clauses) {
    std::uint64_t heaviest = 0;
    for (const TermSet& term_set : query_terms) {
      const bool is_known =
          std::all_of(term_set.begin(), term_set.end(), [&](const auto& word) { return weight(word) > 0; });
      if (!is_known) continue;
      for (const auto& word : term_set) heaviest = std::max(heaviest, weight(word));
    }
    if (heaviest == 0) heaviest = ~std::uint64_t{0};
    std::uint64_t best = 0;
    for (const TermSet& term_set : clause) {
      std::uint64_t of_term_set = 0;
      for (const auto& word : term_set) {
        const std::uint64_t of_track = impact(track, word);
        if (of_track == 0) {
          of_term_set = 0;
          break;
        }
        const std::uint64_t of_word =
            query_terms.count(term_set) != 0
                ? weight(word)
                : std::max<std::uint64_t>(
                      std::min(weight(word), heaviest) / (term_set.size() == 1 ? 2 : 4 * term_set.size()), 1);
        of_term_set += of_word * of_track;
      }
      best = std::max(best, of_term_set);
    }
    sum += best;
  }
  return sum;
}

std::vector<std::size_t> Oracle::sorted(std::vector<std::size_t> members, const Parameters& parameters,
                                        const Clauses& clauses) const {
  std::string sort = clauses.empty() ? "shuffle" : "relevance";
  if (contains(parameters, "sort")) sort = parameters.at("sort");
  if (sort == "relevance" && clauses.empty()) sort = "quality";  // SORT-3
  const auto ranks = contains(parameters, "seed") ? ranks_of_seed(parameters.at("seed"), tracks_.size())
                                                  : std::vector<std::uint64_t>{};
  // Smaller keys are first. The last part is the turn (SORT-6); ties are ordered by id.
  using Key = std::tuple<bool, std::uint64_t, std::size_t>;
  const auto key = [&](std::size_t i) -> Key {
    const Track& track = tracks_[i];
    const bool no_bpm = track.bpm_hundredths == 0;
    if (sort == "quality") return {false, 1000U - track.quality, 0};
    if (sort == "short") return {false, track.duration_ms, 0};
    if (sort == "long") return {false, ~track.duration_ms, 0};
    if (sort == "slow") return {no_bpm, track.bpm_hundredths, 0};
    if (sort == "newest") {  // SORT-8
      std::string digits;
      for (const char c : track.published) digits += c == '-' ? "" : std::string(1, c);
      return {digits.empty(), digits.empty() ? 0 : 99'999'999 - std::stoull(digits), 0};
    }
    if (sort == "fast") return {no_bpm, no_bpm ? 0 : ~std::uint64_t{track.bpm_hundredths}, 0};
    if (sort == "relevance") return {false, ~(score(i, clauses) + boost(i, parameters.at("q"))), turn_[i]};
    return {false, ranks.empty() ? position_[i] : ranks[position_[i]], 0};
  };
  std::map<std::size_t, Key> keys;
  for (const std::size_t i : members) keys[i] = key(i);
  std::sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : tracks_[a].id < tracks_[b].id;
  });
  return members;
}

std::vector<std::size_t> Oracle::ordered(const Parameters& parameters) const {
  const auto q = parameters.find("q");
  const bool most = contains(parameters, "match") && parameters.at("match") == "most";
  const Clauses clauses = q == parameters.end() ? Clauses{} : clauses_of(q->second, most ? 16 : SIZE_MAX);
  std::vector<std::size_t> members = sorted(matching(parameters, clauses), parameters, clauses);
  const std::vector<Clause> counted = counted_clauses(parameters);
  std::stable_sort(members.begin(), members.end(),
                   [&](std::size_t a, std::size_t b) { return count_words(a, counted) > count_words(b, counted); });
  return members;
}

std::vector<std::size_t> Oracle::collapsed(const std::vector<std::size_t>& members) const {
  std::vector<std::size_t> first;
  std::set<std::size_t> families;
  for (const std::size_t i : members) {
    if (families.insert(family_[i]).second) first.push_back(i);
  }
  return first;
}

std::vector<std::string> Oracle::search(const Parameters& parameters) const {
  std::vector<std::size_t> members = ordered(parameters);
  if (collapses(parameters)) members = collapsed(members);
  std::vector<std::string> ids;
  ids.reserve(members.size());
  for (const std::size_t i : members) ids.push_back(tracks_[i].id);
  return ids;
}

std::vector<std::size_t> Oracle::variants(const Parameters& parameters) const {
  std::vector<std::size_t> counts;
  if (!collapses(parameters)) return counts;
  const std::vector<std::size_t> members = ordered(parameters);
  for (const std::size_t shown : collapsed(members)) {
    counts.push_back(static_cast<std::size_t>(
        std::count_if(members.begin(), members.end(), [&](std::size_t i) { return family_[i] == family_[shown]; })));
  }
  return counts;
}

Oracle::MostWords Oracle::most_words(const Parameters& parameters) const {
  const std::vector<Clause> counted = counted_clauses(parameters);
  if (counted.empty()) return {};
  std::map<std::size_t, std::size_t> tracks_by_words;
  std::vector<std::size_t> members = ordered(parameters);
  if (collapses(parameters)) members = collapsed(members);
  for (const std::size_t i : members) ++tracks_by_words[count_words(i, counted)];
  return {counted.size(), {tracks_by_words.rbegin(), tracks_by_words.rend()}};
}

std::vector<std::string> Oracle::similar(const std::string& id, const Parameters& parameters) const {
  const auto track = std::find_if(tracks_.begin(), tracks_.end(), [&](const Track& each) { return each.id == id; });
  std::vector<std::string> ids;
  if (track->taken_down) return ids;  // TRACK-6: it is in no similar list, and has none
  for (const std::uint32_t index : track->neighbors) {
    const Track& neighbor = tracks_[index];
    if (!neighbor.taken_down && passes_similar(neighbor, parameters)) ids.push_back(neighbor.id);
  }
  return ids;
}

std::vector<std::string> Oracle::merged_similar(const std::vector<std::string>& seeds,
                                                const std::set<std::string>& excluded,
                                                const Parameters& parameters) const {
  const std::set<std::string> distinct(seeds.begin(), seeds.end());  // SIMILAR-3: repeated seeds count once
  std::vector<std::vector<std::string>> lists;
  for (const Track& track : tracks_) {
    if (distinct.count(track.id) != 0) lists.push_back(similar(track.id, {}));
  }
  std::vector<std::tuple<std::size_t, std::size_t, std::string>> order;
  for (const Track& track : tracks_) {
    std::size_t best = 0;
    std::size_t sum = 0;
    for (const auto& list : lists) {
      const auto found = std::find(list.begin(), list.end(), track.id);
      if (found == list.end()) continue;
      const std::size_t rank = static_cast<std::size_t>(found - list.begin()) + 1;
      best = best == 0 ? rank : std::min(best, rank);
      sum += rank;
    }
    if (best == 0 || excluded.count(track.id) != 0 || !passes_similar(track, parameters)) continue;
    order.emplace_back(best, sum, track.id);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::string> ids;
  ids.reserve(order.size());
  for (const auto& [best, sum, id] : order) ids.push_back(id);
  return ids;
}

std::string encode(const std::string& text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
    if (plain) {
      encoded += c;
    } else {
      encoded += '%';
      encoded += kDigits[byte >> 4U];
      encoded += kDigits[byte & 15U];
    }
  }
  return encoded;
}

std::string query_string(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    text += (text.empty() ? "?" : "&") + encode(name) + '=' + encode(value);
  }
  return text;
}

}  // namespace tonearm::test::oracle
