#include "api/answers/suggestions.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "api/answers/query_chunks.h"
#include "api/requests/hints.h"
#include "api/requests/search_parameters.h"
#include "text/unicode.h"
#include "text/unique.h"

namespace tonearm::api {
namespace {

constexpr std::size_t kSuggestionsMax = 3;

// Bounds on the number of searches. Each change is a search of its own, and so is each pair of changes.
constexpr std::size_t kWordsMax = 8;          // words to drop or to respell
constexpr std::size_t kPairedMax = 12;        // changes to combine in pairs
constexpr std::size_t kItemsMax = 8;          // items of a list to respell
constexpr std::size_t kItemsOfPairsMax = 64;  // with more items, no pairs are tried
constexpr std::size_t kCandidatesMax = 3;     // spellings of a word: the nearest may find nothing

/// With so many words or fewer, all of them count (AUTO-1, MOST-4).
constexpr std::size_t kCountedByAuto = 16;
constexpr std::size_t kCountedByMost = 8;

/// Parameters that do not narrow a search: dropping one does not relax it.
constexpr std::array<std::string_view, 10> kNoFilters{"q",    "match", "kind",   "variants", "sort",
                                                      "seed", "limit", "cursor", "fields",   "facets"};

/// One change of a search.
struct Change {
  std::string description;                // "without tempo"
  std::size_t row = 0;                    // of the changed parameter
  std::optional<Value> value{};           // the new value; none: the parameter is dropped
  std::vector<bool> dropped{};            // chunks of `q` to drop, instead of a new value
  int corrections = 0;                    // 1: the change corrects a spelling
  std::vector<Respelling> respellings{};  // of `q`, instead of a new value
  std::optional<std::uint64_t> total{};   // of this change alone, if it was tried

  bool is_of_words() const { return !dropped.empty() || !respellings.empty(); }
};

/// A word of `q` that no track has, with near words.
struct Misspelling {
  std::size_t begin = 0;  // byte offset in `q`
  std::size_t end = 0;
  std::uint32_t clause = 0;
  std::vector<std::string> candidates;  // nearest first, at least one
};

/// A changed search that finds something.
struct SuccessfulChange {
  table::Suggestion suggestion;
  int corrections = 0;  // how many of its changes correct a spelling
};

std::size_t row_of(const Values& values, std::string_view name) {
  const auto rows = values.parameters();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const auto& parameter) { return parameter.name == name; });
  return static_cast<std::size_t>(row - rows.begin());
}

/// REQUIRES: values of a valid search. Relaxing some of them cannot make it invalid.
SearchQuery query_of(const Values& values) {
  return to_search_query(arguments_of(table::kSearchParameters, values)).value();
}

Value list_value(const std::vector<std::string>& items) {
  Value value;
  value.items = items;
  for (const std::string& item : items) value.text += (value.text.empty() ? "" : ",") + item;
  return value;
}

std::vector<std::pair<std::string, std::string>> given_parameters(const Values& values) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for (std::size_t i = 0; i < values.parameters().size(); ++i) {
    const std::string_view name = values.parameters()[i].name;
    if (values.at(i) && name != "cursor") parameters.emplace_back(name, values.at(i)->text);
  }
  return parameters;
}

/// Returns the message of a suggestion. REQUIRES: `change` starts with a lower-case letter.
std::string description_of(std::string change, std::uint64_t total) {
  change.front() = static_cast<char>(change.front() - 'a' + 'A');
  return change + ": " + std::to_string(total) + (total == 1 ? " track." : " tracks.");
}

std::string quoted(std::string_view text) { return '"' + text::quotable(text) + '"'; }

class Suggester {
 public:
  Suggester(const Catalog& catalog, const Values& values, const Page& page)
      : catalog_(catalog),
        values_(values),
        query_(query_of(values)),
        finds_nothing_(page.total == 0),
        has_all_words_(has_all_words(page)) {
    if (const Value* q = values.find("q")) {
      q_ = q->text;
      terms_ = catalog.terms(q_, query_.match);
      chunks_ = split_chunks(q_, terms_);
      find_misspelled_words();
    }
  }

  std::vector<table::Suggestion> suggest() const {
    std::vector<SuccessfulChange> found;
    try_excluding_unwanted(found);
    if (finds_nothing_ || !has_all_words_) {
      std::vector<SuccessfulChange> relaxed = relaxed_searches();
      std::move(relaxed.begin(), relaxed.end(), std::back_inserter(found));
    }
    if (found.size() > kSuggestionsMax) found.resize(kSuggestionsMax);
    std::vector<table::Suggestion> suggestions;
    suggestions.reserve(found.size());
    for (SuccessfulChange& change : found) suggestions.push_back(std::move(change.suggestion));
    return suggestions;
  }

 private:
  /// Returns at most kSuggestionsMax, in the order of SUGGEST-4.
  std::vector<SuccessfulChange> relaxed_searches() const {
    const std::vector<Change> changes = single_changes();
    std::vector<SuccessfulChange> found;
    for (const Change& change : changes) try_changes({&change, 1}, found);
    if (found.empty() && count_items() <= kItemsOfPairsMax) try_pairs(changes, found);
    std::stable_sort(found.begin(), found.end(), [](const SuccessfulChange& a, const SuccessfulChange& b) {
      return a.corrections != b.corrections ? a.corrections > b.corrections : a.suggestion.total > b.suggestion.total;
    });
    if (found.size() > kSuggestionsMax) found.resize(kSuggestionsMax);
    if (!terms_.empty() && found.size() < kSuggestionsMax) {
      const Change without_q{"without q", row_of(values_, "q")};
      try_changes({&without_q, 1}, found);
    }
    return found;
  }

  /// AUTO-5: moves unwanted words from `q` to `exclude`.
  void try_excluding_unwanted(std::vector<SuccessfulChange>& found) const {
    std::vector<std::string> excluded;
    if (const Value* exclude = values_.find("exclude")) excluded = exclude->items;
    std::string unwanted;
    for (auto term = terms_.begin(); term != terms_.end(); ++term) {
      if (!term->is_unwanted) continue;
      const auto next = std::find_if_not(term, terms_.end(), [](const auto& it) { return it.is_unwanted; });
      std::string word = q_.substr(term->begin, std::prev(next)->end - term->begin);
      std::replace(word.begin(), word.end(), ',', ' ');  // a phrase of a synonym
      term = std::prev(next);
      if (std::find(excluded.begin(), excluded.end(), word) != excluded.end()) continue;
      unwanted += (unwanted.empty() ? "" : ",") + word;
      excluded.push_back(std::move(word));
    }
    if (unwanted.empty()) return;
    std::vector<bool> dropped;
    for (const QueryChunk& chunk : chunks_) dropped.push_back(chunk.is_of_negation);
    Values changed = values_;
    Value q;
    q.text = without_chunks(q_, chunks_, dropped, {});
    changed.replace(row_of(values_, "q"), q);
    changed.replace(row_of(values_, "exclude"), list_value(excluded));
    if (text::code_points(changed.find("exclude")->text) > table::kExcludeMax) return;
    const std::uint64_t total = catalog_.count(query_of(changed));
    if (total == 0) return;
    found.push_back(
        {{description_of("with exclude=" + text::quotable(unwanted), total), given_parameters(changed), total}, 0});
  }

  std::vector<Change> single_changes() const {
    std::vector<Change> changes;
    add_near_values(changes);
    add_near_creator(changes);
    add_near_words(changes);
    add_dropped_beside_near(changes);
    add_other_kind(changes);
    add_speech(changes);
    add_most(changes);
    add_dropped_filters(changes);
    add_dropped_words(changes);
    return changes;
  }

  /// Corrects ids that the catalog does not have to near ones.
  void add_near_values(std::vector<Change>& changes) const {
    const CatalogValues& known = catalog_.values();
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      std::vector<std::string_view> ids;
      for (const LabeledValue& tag : known.tags[static_cast<std::size_t>(query_.kind)][facet]) ids.push_back(tag.id);
      add_near(kFacetNames[facet], ids, changes);
    }
    std::vector<std::string_view> sources;
    for (const SourceCount& source : known.sources) sources.push_back(source.id);
    add_near("source", sources, changes);
    std::vector<std::string_view> categories;
    for (const Category& category : kCategories) {
      categories.insert(categories.end(), {category.id, category.top_id, category.group_code});
    }
    add_near("category", categories, changes);
  }

  void add_near(std::string_view name, std::span<const std::string_view> ids, std::vector<Change>& changes) const {
    const Value* value = values_.find(name);
    if (value == nullptr) return;
    std::vector<std::string> items = value->items;
    std::string description;
    for (std::size_t i = 0; i < std::min(items.size(), kItemsMax); ++i) {
      std::string& item = items[i];
      const std::string folded = text::fold_case(item);
      if (std::find(ids.begin(), ids.end(), folded) != ids.end()) continue;
      const auto near = near_choice(name, item, ids);
      if (!near) continue;
      description +=
          (description.empty() ? "with " + std::string(name) + ' ' : ", ") + std::string(*near) + " instead of " + item;
      item = *near;
    }
    if (description.empty()) return;
    text::keep_first_of_equals(items);
    changes.push_back({std::move(description), row_of(values_, name), list_value(items), {}, 1});
  }

  /// SUGGEST-6: finds words that no track has, and near words for them.
  void find_misspelled_words() {
    std::size_t lookups = 0;
    for (const Catalog::QueryTerm& term : terms_) {
      const auto is_of_phrase = [&](const auto& other) { return other.phrase == term.phrase; };
      if (term.known || std::count_if(terms_.begin(), terms_.end(), is_of_phrase) != 1) continue;
      const auto same = std::find_if(misspellings_.begin(), misspellings_.end(),
                                     [&](const Misspelling& it) { return it.clause == term.clause; });
      std::vector<std::string> candidates;
      if (same != misspellings_.end()) {
        candidates = same->candidates;
      } else if (lookups++ < kWordsMax) {
        candidates = catalog_.near_words(std::string_view(q_).substr(term.begin, term.end - term.begin), query_.kind,
                                         kCandidatesMax);
      }
      if (!candidates.empty()) misspellings_.push_back({term.begin, term.end, term.clause, std::move(candidates)});
    }
  }

  /// Corrects all misspellings together, because one that remains would exclude all tracks.
  void add_near_words(std::vector<Change>& changes) const {
    std::size_t count = 0;
    for (const Misspelling& misspelling : misspellings_) count = std::max(count, misspelling.candidates.size());
    std::vector<Change> alternatives;
    for (std::size_t i = 0; i < count; ++i) alternatives.push_back(near_words_change(i));
    add_first_successful(std::move(alternatives), changes);
  }

  /// `rank`: which candidate to use for each misspelling.
  Change near_words_change(std::size_t rank) const {
    Change change{{}, row_of(values_, "q"), {}, {}, 1};
    std::size_t words = 0;
    std::string replacements;
    for (auto it = misspellings_.begin(); it != misspellings_.end(); ++it) {
      const std::string& candidate = it->candidates[std::min(rank, it->candidates.size() - 1)];
      change.respellings.push_back({it->begin, it->end, candidate});
      const auto same = [&](const Misspelling& other) { return other.clause == it->clause; };
      if (std::find_if(misspellings_.begin(), it, same) != it) continue;
      replacements += (++words == 1 ? "" : ", ") + quoted(candidate) + " instead of " +
                      quoted(std::string_view(q_).substr(it->begin, it->end - it->begin));
    }
    change.description = (words == 1 ? "with the word " : "with the words ") + replacements;
    return change;
  }

  /// SUGGEST-6
  void add_near_creator(std::vector<Change>& changes) const {
    const Value* creator = values_.find("creator");
    if (creator == nullptr) return;
    std::vector<Change> alternatives;
    for (const std::string& candidate : catalog_.near_creators(creator->text, query_.kind, kCandidatesMax)) {
      Value value = *creator;
      value.text = candidate;
      alternatives.push_back({"with creator " + quoted(candidate) + " instead of " + quoted(creator->text),
                              row_of(values_, "creator"),
                              std::move(value),
                              {},
                              1});
    }
    add_first_successful(std::move(alternatives), changes);
  }

  /// Adds the first alternative that finds something. If none does, adds the first one, which may do so in a pair.
  void add_first_successful(std::vector<Change> alternatives, std::vector<Change>& changes) const {
    if (alternatives.empty()) return;
    const auto succeeds = [&](Change& change) {
      std::vector<SuccessfulChange> found;
      try_changes({&change, 1}, found);
      change.total = found.empty() ? 0 : found.front().suggestion.total;
      return !found.empty();
    };
    const auto first = std::find_if(alternatives.begin(), alternatives.end(), succeeds);
    changes.push_back(std::move(first == alternatives.end() ? alternatives.front() : *first));
  }

  /// Switches to the other kind, if all filters apply to it, too.
  void add_other_kind(std::vector<Change>& changes) const {
    const Kind other = query_.kind == Kind::music ? Kind::sfx : Kind::music;
    if (terms_.empty() || check_kind(values_, other)) return;
    Value kind;
    kind.text = kKindNames[static_cast<std::size_t>(other)];
    kind.chosen = {static_cast<std::size_t>(other)};
    kind.number = kind.chosen.front();
    changes.push_back({"in kind " + kind.text, row_of(values_, "kind"), kind});
  }

  /// SEARCH-7: adds the category speech, which searches exclude by default.
  void add_speech(std::vector<Change>& changes) const {
    if (query_.kind != Kind::sfx) return;
    const Value* category = values_.find("category");
    std::vector<std::string> items = category == nullptr ? std::vector<std::string>{} : category->items;
    if (std::find(items.begin(), items.end(), kSpeechGroup) != items.end()) return;
    items.emplace_back(kSpeechGroup);
    changes.push_back({category == nullptr ? "in category speech" : "with category speech too",
                       row_of(values_, "category"), list_value(items)});
  }

  /// MOST-1: switches to match=most, which does not require all words.
  void add_most(std::vector<Change>& changes) const {
    const std::size_t row = row_of(values_, "match");
    if (query_.match != WordMatch::all || terms_.empty()) return;
    Value most;
    most.chosen = {static_cast<std::size_t>(WordMatch::most)};
    most.text = values_.parameters()[row].values[most.chosen.front()];
    most.number = most.chosen.front();
    changes.push_back({"with match=most", row, most});
  }

  void add_dropped_filters(std::vector<Change>& changes) const {
    for (std::size_t i = 0; i < values_.parameters().size(); ++i) {
      const std::string_view name = values_.parameters()[i].name;
      if (!values_.at(i) || std::find(kNoFilters.begin(), kNoFilters.end(), name) != kNoFilters.end()) continue;
      changes.push_back({"without " + std::string(name), i});
    }
  }

  /// Drops one word at a time, with its repetitions.
  void add_dropped_words(std::vector<Change>& changes) const {
    std::vector<std::size_t> candidates;
    const std::vector<bool> unknown = unknown_chunks();
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      if (chunks_[i].is_required && first_equal_chunk(i) == i) candidates.push_back(i);
    }
    const auto is_unknown = [&](std::size_t i) { return unknown[i]; };
    const auto unknown_count =
        static_cast<std::size_t>(std::count_if(candidates.begin(), candidates.end(), is_unknown));
    const std::size_t row = row_of(values_, "q");
    if (candidates.size() < 2 || unknown_count == candidates.size()) return;
    if (unknown_count > 1) {
      // Dropping only one of several unknown words would find nothing.
      changes.push_back({"without the words that no track has", row, {}, unknown});
      return;
    }
    // Dropping another word than the only unknown one would find nothing.
    if (unknown_count == 1) candidates = {*std::find_if(candidates.begin(), candidates.end(), is_unknown)};
    if (candidates.size() > kWordsMax) candidates.resize(kWordsMax);
    for (const std::size_t chunk : candidates) {
      std::vector<bool> dropped(chunks_.size());
      for (std::size_t i = 0; i < chunks_.size(); ++i) dropped[i] = first_equal_chunk(i) == chunk;
      changes.push_back({"without the word " + quoted(chunks_[chunk].text), row, {}, dropped});
    }
  }

  /// Drops the unknown words that have no near word. Succeeds only together with corrections of the others.
  void add_dropped_beside_near(std::vector<Change>& changes) const {
    if (misspellings_.empty()) return;
    std::vector<bool> unknown = unknown_chunks();
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      const auto is_inside = [&](const Misspelling& it) { return is_in_chunk(it.begin, i); };
      if (std::any_of(misspellings_.begin(), misspellings_.end(), is_inside)) unknown[i] = false;
    }
    if (std::find(unknown.begin(), unknown.end(), true) == unknown.end()) return;
    changes.push_back({"without the other words that no track has", row_of(values_, "q"), {}, std::move(unknown)});
  }

  std::vector<bool> unknown_chunks() const {
    std::vector<bool> unknown(chunks_.size());
    for (std::size_t i = 0; i < chunks_.size(); ++i) unknown[i] = chunks_[i].is_required && !chunks_[i].known;
    return unknown;
  }

  bool is_in_chunk(std::size_t at, std::size_t chunk) const {
    const auto begin = static_cast<std::size_t>(chunks_[chunk].text.data() - q_.data());
    return at >= begin && at < begin + chunks_[chunk].text.size();
  }

  /// Returns the first chunk with the same clauses.
  std::size_t first_equal_chunk(std::size_t chunk) const {
    const auto same = std::find_if(chunks_.begin(), chunks_.end(), [&](const QueryChunk& it) {
      return it.clauses == chunks_[chunk].clauses && it.is_required == chunks_[chunk].is_required;
    });
    return static_cast<std::size_t>(same - chunks_.begin());
  }

  void try_pairs(std::span<const Change> changes, std::vector<SuccessfulChange>& found) const {
    changes = changes.first(std::min(changes.size(), kPairedMax));
    for (std::size_t i = 0; i < changes.size(); ++i) {
      for (std::size_t j = i + 1; j < changes.size(); ++j) {
        const bool are_words = changes[i].is_of_words() && changes[j].is_of_words();
        if (changes[i].row != changes[j].row || are_words) try_changes(std::array{changes[i], changes[j]}, found);
      }
    }
  }

  /// Applies the changes together, and adds the result to `found` if the changed search finds something.
  void try_changes(std::span<const Change> changes, std::vector<SuccessfulChange>& found) const {
    Values changed = values_;
    std::vector<bool> dropped(chunks_.size());
    std::vector<Respelling> respellings;
    std::string description;
    int corrections = 0;
    for (const Change& change : changes) {
      description += (description.empty() ? "" : " and ") + change.description;
      corrections += change.corrections;
      if (!change.is_of_words()) {
        changed.replace(change.row, change.value);
        continue;
      }
      for (std::size_t i = 0; i < change.dropped.size(); ++i) dropped[i] = dropped[i] || change.dropped[i];
      respellings.insert(respellings.end(), change.respellings.begin(), change.respellings.end());
      Value q;
      q.text = changed_q(dropped, respellings);
      changed.replace(change.row, q.text.empty() ? std::optional<Value>() : q);
    }
    const Value* q = changed.find("q");
    if (q != nullptr && text::code_points(q->text) > table::kQueryTextMax) return;  // candidates may be longer
    const SearchQuery query = query_of(changed);
    if (!keeps_words(dropped) || drops_respelled(dropped, respellings)) return;
    if (check_kind(changed, query.kind)) return;
    if (!finds_nothing_ && !finds_all_words(query)) return;
    const std::uint64_t total =
        changes.size() == 1 && changes.front().total ? *changes.front().total : catalog_.count(query);
    if (total == 0) return;
    found.push_back({{description_of(description, total), given_parameters(changed), total}, corrections});
  }

  std::string changed_q(const std::vector<bool>& dropped, std::span<const Respelling> respellings) const {
    const bool keeps_all = std::find(dropped.begin(), dropped.end(), true) == dropped.end();
    return keeps_all ? respell(q_, q_, respellings) : without_chunks(q_, chunks_, dropped, respellings);
  }

  bool drops_respelled(const std::vector<bool>& dropped, std::span<const Respelling> respellings) const {
    return std::any_of(respellings.begin(), respellings.end(), [&](const Respelling& respelling) {
      for (std::size_t i = 0; i < chunks_.size(); ++i) {
        if (dropped[i] && is_in_chunk(respelling.begin, i)) return true;
      }
      return false;
    });
  }

  /// Returns whether a narrowing word remains, or none is dropped. A function word alone would become a narrowing one.
  bool keeps_words(const std::vector<bool>& dropped) const {
    if (std::find(dropped.begin(), dropped.end(), true) == dropped.end()) return true;
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      if (chunks_[i].is_required && !dropped[i]) return true;
    }
    return false;
  }

  /// Whether a track has all words that count (AUTO-1, MOST-4). If all words count, counting with match=all is faster.
  bool finds_all_words(SearchQuery query) const {
    const std::size_t counted_max = query.match == WordMatch::automatic ? kCountedByAuto : kCountedByMost;
    const bool all_count =
        terms_.size() <= counted_max &&
        std::none_of(terms_.begin(), terms_.end(), [](const Catalog::QueryTerm& term) { return term.is_unwanted; });
    if (all_count) {
      query.match = WordMatch::all;
      return catalog_.count(query) > 0;
    }
    query.limit = 0;
    return has_all_words(catalog_.search(query));
  }

  std::size_t count_items() const {
    std::size_t items = 0;
    for (std::size_t i = 0; i < values_.parameters().size(); ++i) {
      if (values_.at(i)) items += values_.at(i)->items.size();
    }
    return items;
  }

  const Catalog& catalog_;
  const Values& values_;
  SearchQuery query_;
  bool finds_nothing_;
  bool has_all_words_;
  std::string q_;
  std::vector<Catalog::QueryTerm> terms_;
  std::vector<QueryChunk> chunks_;  // of `q_`
  std::vector<Misspelling> misspellings_;
};

}  // namespace

bool has_all_words(const Page& page) {
  return page.words == 0 || (!page.matched.empty() && page.matched.front().words == page.words);
}

std::optional<std::vector<table::Suggestion>> suggest(const Catalog& catalog, const Values& values, const Page& page) {
  const bool is_answered = page.total > 0 && has_all_words(page);
  if (is_answered && !page.has_unwanted) return std::nullopt;
  auto suggestions = Suggester(catalog, values, page).suggest();
  if (is_answered && suggestions.empty()) return std::nullopt;  // nothing to exclude
  return suggestions;
}

}  // namespace tonearm::api
