#include "oracle.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "oracle_filters.h"
#include "oracle_variants.h"
#include "text/unicode.h"

namespace tonearm::test::oracle {
namespace {

// SEARCH-5, copied from the specification.
const std::string kFunctionWords =
    " a an and are as at be by for from in into is it its my of on or our some that the their this to with your music "
    "song songs track tracks tune sound sounds effect effects sfx audio ";

bool is_function_word(const std::string& whole) { return kFunctionWords.find(' ' + whole + ' ') != std::string::npos; }

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

/// Returns the mean of all values but 0 in 1/256, rounded; 256 if there are none.
std::uint64_t mean_of_positive(const std::vector<std::uint64_t>& values) {
  const auto count = static_cast<std::uint64_t>(values.size()) -
                     static_cast<std::uint64_t>(std::count(values.begin(), values.end(), std::uint64_t{0}));
  if (count == 0) return 256;
  return (512 * std::accumulate(values.begin(), values.end(), std::uint64_t{0}) + count) / (2 * count);
}

bool collapses(const Parameters& parameters) {
  return contains(parameters, "variants") && parameters.at("variants") == "collapse";
}

constexpr std::size_t kKeptAnswersMax = 64;

/// Returns the kept answer to a question, or finds and keeps it.
template <class Answers, class Find>
const std::vector<std::size_t>& kept(Answers& answers, const Parameters& question, const Find& find) {
  const auto known = answers.find(question);
  if (known != answers.end()) return known->second;
  std::vector<std::size_t> found = find();
  if (answers.size() == kKeptAnswersMax) answers.clear();
  return answers.emplace(question, std::move(found)).first->second;
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
      relations_(options, words),
      position_(tracks.size()),
      family_(families_of(tracks)),
      turn_(tracks.size()) {
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    read_texts(i, options);
    if (tracks[i].taken_down) continue;
    ++findable_;
    for (const auto& [word, mentions] : texts_[i].words) ++document_frequencies_[word];
    for (const auto& of_facet : tracks[i].tags) tag_ids_.insert(of_facet.begin(), of_facet.end());
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

std::uint64_t Oracle::count_tags(const Track& track) {
  std::uint64_t count = 0;
  for (const auto& of_facet : track.tags) count += of_facet.size();
  return count;
}

/// Averages the fields over the tracks that have them.
void Oracle::average_lengths() {
  std::vector<std::uint64_t> titles;
  std::vector<std::uint64_t> tags;
  std::vector<std::uint64_t> descriptions;
  std::vector<std::uint64_t> hidden;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    if (tracks_[i].taken_down) continue;
    titles.push_back(texts_[i].title.size());
    tags.push_back(count_tags(tracks_[i]));
    descriptions.push_back(texts_[i].description);
    hidden.push_back(texts_[i].hidden);
  }
  averages_ = {mean_of_positive(titles), mean_of_positive(tags), mean_of_positive(descriptions),
               mean_of_positive(hidden)};
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
    for (const Token& token : words_.of(word)) ++texts.words[token.stem].hidden, ++texts.hidden;
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

/// AUTO-5: reads `q` piece by piece between white space.
Oracle::SplitQuery Oracle::terms_of_query(const Parameters& parameters) const {
  if (!contains(parameters, "q")) return {};
  const std::string& q = parameters.at("q");
  const std::vector<Token>& all = words_.of(q);
  if (contains(parameters, "match") && parameters.at("match") != "auto") return {all, {}};
  std::vector<std::vector<std::string>> pieces;  // the words of each, unstemmed
  for (std::size_t at = 0; at < q.size();) {
    const std::size_t end = std::min(q.find_first_of(" \t\r\n", at), q.size());
    auto& piece = pieces.emplace_back();
    for (const Token& token : words_.of(q.substr(at, end - at))) piece.push_back(token.whole);
    if (piece.empty()) pieces.pop_back();
    at = end + 1;
  }
  const auto is_one_of = [&](std::size_t piece, const std::set<std::string>& words) {
    return piece < pieces.size() && pieces[piece].size() == 1 && words.count(pieces[piece][0]) != 0;
  };
  SplitQuery found;
  std::size_t next = 0;     // of `all`
  std::size_t skipped = 0;  // words of the following pieces that are part of an unwanted synonym
  for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
    std::size_t word = piece + 1;
    while (is_one_of(word, {"a", "an", "any", "the"})) ++word;
    if (skipped > 0 || !is_one_of(piece, {"no", "without"}) || word >= pieces.size()) {
      for (std::size_t i = 0; i < pieces[piece].size(); ++i, ++next) {
        if (skipped > 0) {
          --skipped;
        } else {
          found.wanted.push_back(all[next]);
        }
      }
      continue;
    }
    next += word - piece;
    const std::size_t length = std::max(pieces[word].size(), longest_phrase(all, next).first);
    TermSet unwanted;
    for (std::size_t i = next; i < next + length; ++i) unwanted.insert(all[i].stem);
    found.unwanted.insert(unwanted);
    skipped = length;
    piece = word - 1;
  }
  if (found.wanted.empty()) return {all, {}};
  return found;
}

std::vector<Oracle::WantedTerm> Oracle::split_words(const std::vector<Token>& tokens, std::size_t words_max) const {
  std::vector<WantedTerm> all;
  for (std::size_t at = 0; at < tokens.size();) {
    auto [length, same] = longest_phrase(tokens, at);
    WantedTerm& word = all.emplace_back();
    word.same = length == 0 ? Clause{{tokens[at].stem}} : same;
    word.is_function_word = length < 2 && is_function_word(tokens[at].whole);
    const std::size_t end = at + std::max<std::size_t>(length, 1);
    std::vector<std::string> stems;
    for (; at < end; ++at) stems.push_back(tokens[at].stem);
    word.typed = {TermSet(stems.begin(), stems.end())};
    if (stems.size() <= 3) {
      word.phrases = {stems};
      std::string tag;
      for (std::size_t i = end - stems.size(); i < end; ++i) tag += (tag.empty() ? "" : "-") + tokens[i].whole;
      word.tags = {tag};
    }
  }
  const bool has_content =
      std::any_of(all.begin(), all.end(), [](const WantedTerm& word) { return !word.is_function_word; });
  std::vector<WantedTerm> words;
  for (const WantedTerm& word : all) {
    if (has_content && word.is_function_word) continue;
    const auto same = std::find_if(words.begin(), words.end(), [&](auto& it) { return it.same == word.same; });
    if (same != words.end()) {
      same->typed.insert(word.typed.begin(), word.typed.end());
      same->phrases.insert(word.phrases.begin(), word.phrases.end());
      same->tags.insert(word.tags.begin(), word.tags.end());
    } else if (words.size() < words_max) {
      words.push_back(word);
    }
  }
  for (WantedTerm& word : words) {
    for (const auto& phrase : word.phrases) {
      for (const auto& target : relations_.of(phrase, [&](const auto& stem) { return tracks_with_word(stem); })) {
        if (target.relation != Relation::narrower) continue;
        word.narrower[target.terms] = std::max(word.narrower[target.terms], target.weight);
      }
    }
  }
  return words;
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

const std::vector<std::size_t>& Oracle::passing(const Parameters& parameters) const {
  const Parameters filters = filters_of(parameters);
  return kept(passing_, filters, [&] {
    std::vector<std::size_t> tracks;
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
      if (passes(i, filters)) tracks.push_back(i);
    }
    return tracks;
  });
}

bool Oracle::holds(std::size_t index, const Clause& clause) const {
  const auto has_word = [&](const std::string& word) { return texts_[index].words.count(word) != 0; };
  return std::any_of(clause.begin(), clause.end(),
                     [&](const TermSet& term_set) { return std::all_of(term_set.begin(), term_set.end(), has_word); });
}

bool Oracle::holds(std::size_t index, const WantedTerm& word) const {
  return holds(index, word.same) || std::any_of(word.narrower.begin(), word.narrower.end(),
                                                [&](const auto& it) { return holds(index, Clause{it.first}); });
}

std::size_t Oracle::count_words(std::size_t index, const std::vector<WantedTerm>& words) const {
  return static_cast<std::size_t>(
      std::count_if(words.begin(), words.end(), [&](const WantedTerm& word) { return holds(index, word); }));
}

std::vector<std::size_t> Oracle::tracks_with(const Parameters& parameters, const std::vector<WantedTerm>& words,
                                             std::size_t count_min) const {
  std::vector<std::size_t> tracks;
  for (const std::size_t i : passing(parameters)) {
    if (count_words(i, words) >= count_min) tracks.push_back(i);
  }
  return tracks;
}

bool Oracle::is_tag(const WantedTerm& word) const {
  return std::any_of(word.tags.begin(), word.tags.end(),
                     [&](const std::string& tag) { return tag_ids_.count(tag) != 0; });
}

std::uint64_t Oracle::related_score(std::size_t track, const Phrases& phrases, std::uint64_t close_impact) const {
  std::uint64_t sum = 0;
  for (const auto& phrase : phrases) {
    std::uint64_t best = 0;
    for (const auto& target : relations_.of(phrase, [&](const auto& stem) { return tracks_with_word(stem); })) {
      if (target.relation != Relation::related) continue;
      const Emphasis emphasis{2, target.weight >= 128 ? close_impact : 0};
      best = std::max(best, score_of_terms(track, target.terms, ~std::uint64_t{0}, target.weight, emphasis));
    }
    sum += best;
  }
  return sum;
}

/// AUTO-6: a word and the words related to it score once. Tags weigh more, and close relations have more impact.
std::uint64_t Oracle::score_with_related(std::size_t track, const std::vector<WantedTerm>& words,
                                         Phrases phrases) const {
  std::uint64_t sum = 0;
  for (const WantedTerm& word : words) {
    std::uint64_t best = score(track, {word}, is_tag(word) ? 3 : 2);
    for (const auto& phrase : word.phrases) best = std::max(best, related_score(track, {phrase}, 64));
    sum += best;
  }
  for (const WantedTerm& word : words) {
    for (const auto& phrase : word.phrases) phrases.erase(phrase);
  }
  return sum + related_score(track, phrases, 64);
}

/// AUTO-3: each phrase of up to three adjacent words may have related ones.
Oracle::Phrases Oracle::phrases_of_query(const Parameters& parameters) const {
  const std::vector<Token> tokens = terms_of_query(parameters).wanted;
  Phrases phrases;
  for (const WantedTerm& word : split_words(tokens, SIZE_MAX)) phrases.insert(word.phrases.begin(), word.phrases.end());
  for (std::size_t begin = 0; begin < std::min<std::size_t>(tokens.size(), 16); ++begin) {
    std::vector<std::string> stems{tokens[begin].stem};
    for (std::size_t i = begin + 1; i < std::min<std::size_t>({tokens.size(), 16, begin + 3}); ++i) {
      stems.push_back(tokens[i].stem);
      phrases.insert(stems);
    }
  }
  return phrases;
}

std::vector<std::size_t> Oracle::related_tracks(const Parameters& parameters,
                                                const std::vector<WantedTerm>& counted) const {
  const Phrases phrases = phrases_of_query(parameters);
  using Key = std::tuple<std::uint64_t, std::size_t, std::string>;
  std::map<Key, std::size_t> ranked;
  for (const std::size_t i : tracks_with(parameters, counted, 0)) {
    const std::uint64_t score = count_words(i, counted) == 0 ? related_score(i, phrases, 0) : 0;
    if (score > 0) ranked[{~score, turn_[i], tracks_[i].id}] = i;
  }
  std::vector<std::size_t> tracks;
  for (const auto& [key, i] : ranked) {
    if (tracks.size() < 200) tracks.push_back(i);
  }
  return tracks;
}

Oracle::Matching Oracle::matching(const Parameters& parameters) const {
  const std::vector<Token> tokens = terms_of_query(parameters).wanted;
  const std::vector<WantedTerm> all = split_words(tokens, SIZE_MAX);
  const std::string match = contains(parameters, "match") ? parameters.at("match") : "auto";
  if (match != "most" || all.empty()) {
    Matching of_all{tracks_with(parameters, all, all.size()), all, {}, {}, false};
    if (match == "all" || all.empty()) return of_all;
    const std::vector<WantedTerm> counted = split_words(tokens, 16);
    if (of_all.tracks.size() >= 20) return {of_all.tracks, all, counted, {}, false};  // AUTO-1
    return {tracks_with(parameters, counted, 1), counted, counted, related_tracks(parameters, counted), true};
  }
  Matching most{{}, split_words(tokens, 16), split_words(tokens, 8), {}, false};
  const std::vector<std::size_t> tracks = tracks_with(parameters, most.counted, 1);
  std::size_t highest = 0;
  for (const std::size_t i : tracks) highest = std::max(highest, count_words(i, most.counted));
  for (const std::size_t i : tracks) {
    if (count_words(i, most.counted) + 1 >= highest) most.tracks.push_back(i);
  }
  return most;
}

std::vector<std::size_t> Oracle::sorted(const Matching& found, const Parameters& parameters) const {
  const std::vector<WantedTerm>& words = found.words;
  const Phrases phrases = phrases_of_query(parameters);
  const std::vector<Token> typed = terms_of_query(parameters).wanted;
  std::string sort = words.empty() ? "shuffle" : "relevance";
  if (contains(parameters, "sort")) sort = parameters.at("sort");
  if (sort == "relevance" && words.empty()) sort = "quality";  // SORT-3
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
    if (sort == "relevance") {
      // AUTO-6; the catalogs of the tests have fewer tracks than its limit.
      const bool ranks_related = found.ranks_related && count_words(i, found.counted) < found.counted.size();
      const std::uint64_t of_words = ranks_related ? score_with_related(i, words, phrases) : score(i, words);
      return {false, ~(of_words + boost(i, typed)), turn_[i]};
    }
    return {false, ranks.empty() ? position_[i] : ranks[position_[i]], 0};
  };
  std::vector<std::size_t> members = found.tracks;
  std::map<std::size_t, Key> keys;
  for (const std::size_t i : members) keys[i] = key(i);
  std::sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : tracks_[a].id < tracks_[b].id;
  });
  return members;
}

const std::vector<std::size_t>& Oracle::ordered(const Parameters& parameters) const {
  return kept(ordered_, parameters, [&] { return find_ordered(parameters); });
}

std::vector<std::size_t> Oracle::find_ordered(const Parameters& parameters) const {
  const Matching found = matching(parameters);
  std::vector<std::size_t> members = sorted(found, parameters);
  members.insert(members.end(), found.related.begin(), found.related.end());
  const Clause unwanted = terms_of_query(parameters).unwanted;
  // Most words first, among as many those without unwanted words.
  using Key = std::pair<std::size_t, bool>;
  std::map<std::size_t, Key> keys;
  for (const std::size_t i : members) keys[i] = {SIZE_MAX - count_words(i, found.counted), holds(i, unwanted)};
  std::stable_sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
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

Oracle::MatchedWords Oracle::matched_words(const Parameters& parameters) const {
  const std::vector<WantedTerm> counted = matching(parameters).counted;
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

}  // namespace tonearm::test::oracle
