#include "api/answers/suggestions.h"

#include <algorithm>
#include <array>

#include "api/answers/query_chunks.h"
#include "api/requests/search_parameters.h"
#include "text/unicode.h"
#include "text/unique.h"

namespace tonearm::api {
namespace {

constexpr std::size_t kSuggestionsMax = 3;

/// Each change is a search of its own, and each two of them: of a very long query only so many are tried.
constexpr std::size_t kWordsTried = 8;
constexpr std::size_t kPairedMax = 12;
/// Of a long list so many items are looked at, and with longer ones no pairs are tried.
constexpr std::size_t kItemsTried = 8;
constexpr std::size_t kItemsOfPairsMax = 64;
/// Of what a word may have meant so many are tried: the nearest may find nothing.
constexpr std::size_t kMeaningsTried = 3;

/// Parameters that narrow nothing: dropping one is no relaxation.
constexpr std::array<std::string_view, 10> kNoFilters{"q",    "match", "kind",   "variants", "sort",
                                                      "seed", "limit", "cursor", "fields",   "facets"};

/// One change of a search.
struct Change {
  std::string said;  // "without tempo"
  std::size_t row = 0;
  std::optional<Value> value{};           // of the parameter in that row; none: it is left out
  std::vector<bool> left_out{};           // of `q`: these chunks, instead of a value
  int near = 0;                           // 1: a spelling that the catalog knows
  std::vector<Respelling> respellings{};  // of `q`, instead of a value
  std::optional<std::uint64_t> total{};   // what it finds by itself, where that was tried

  bool is_of_words() const { return !left_out.empty() || !respellings.empty(); }
};

/// A word of `q` that no track has, and what it may have meant.
struct Misspelling {
  std::size_t begin = 0;  // where it is in `q`, in bytes
  std::size_t end = 0;
  std::uint32_t clause = 0;
  std::vector<std::string> meanings;  // nearest first, at least one
};

/// A changed search that finds something.
struct Found {
  table::Suggestion suggestion;
  int near = 0;  // changes to near spellings
};

std::size_t row_of(const Values& values, std::string_view name) {
  const auto rows = values.parameters();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const auto& parameter) { return parameter.name == name; });
  return static_cast<std::size_t>(row - rows.begin());
}

/// REQUIRES: values of a search that was answered; relaxing some of them makes no error.
SearchQuery query_of(const Values& values) {
  return to_search_query(arguments_of(table::kSearchParameters, values)).value();
}

Value list_value(const std::vector<std::string>& items) {
  Value value;
  value.items = items;
  for (const std::string& item : items) value.text += (value.text.empty() ? "" : ",") + item;
  return value;
}

std::vector<std::pair<std::string, std::string>> given(const Values& values) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for (std::size_t i = 0; i < values.parameters().size(); ++i) {
    const std::string_view name = values.parameters()[i].name;
    if (values.at(i) && name != "cursor") parameters.emplace_back(name, values.at(i)->text);
  }
  return parameters;
}

std::string quoted(std::string_view text) { return '"' + text::quotable(text) + '"'; }

class Suggester {
 public:
  Suggester(const Catalog& catalog, const Values& values, FoundSoFar so_far)
      : catalog_(catalog), values_(values), so_far_(so_far), query_(query_of(values)) {
    if (const Value* q = values.find("q")) {
      q_ = q->text;
      terms_ = catalog.terms(q_);
      chunks_ = split_chunks(q_, terms_);
      find_misspellings();
    }
  }

  std::vector<table::Suggestion> suggest() const {
    const std::vector<Change> changes = single_changes();
    std::vector<Found> found;
    for (const Change& change : changes) try_changes({&change, 1}, found);
    if (found.empty() && items_given() <= kItemsOfPairsMax) try_pairs(changes, found);
    // SUGGEST-4
    std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
      return a.near != b.near ? a.near > b.near : a.suggestion.total > b.suggestion.total;
    });
    if (found.size() > kSuggestionsMax) found.resize(kSuggestionsMax);
    if (!terms_.empty() && found.size() < kSuggestionsMax) {
      const Change without_q{"without q", row_of(values_, "q")};
      try_changes({&without_q, 1}, found);
    }
    std::vector<table::Suggestion> suggestions;
    suggestions.reserve(found.size());
    for (Found& one : found) suggestions.push_back(std::move(one.suggestion));
    return suggestions;
  }

 private:
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

  /// Ids that the catalog does not have, but for a spelling that is near.
  void add_near_values(std::vector<Change>& changes) const {
    const CatalogValues& known = catalog_.values();
    for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
      std::vector<std::string_view> ids;
      for (const Labelled& tag : known.tags[static_cast<std::size_t>(query_.kind)][facet]) ids.push_back(tag.id);
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
    std::string change;
    for (std::size_t i = 0; i < std::min(items.size(), kItemsTried); ++i) {
      std::string& item = items[i];
      const std::string folded = text::fold_case(item);
      if (std::find(ids.begin(), ids.end(), folded) != ids.end()) continue;
      const auto near = near_match(item, ids);
      if (!near) continue;
      change +=
          (change.empty() ? "with " + std::string(name) + ' ' : ", ") + std::string(*near) + " instead of " + item;
      item = *near;
    }
    if (change.empty()) return;
    text::keep_first_of_equals(items);
    changes.push_back({std::move(change), row_of(values_, name), list_value(items), {}, 1});
  }

  /// SUGGEST-6: words that no track has, but for a spelling that is near.
  void find_misspellings() {
    std::size_t tried = 0;
    for (const Catalog::QueryTerm& term : terms_) {
      const auto is_of_phrase = [&](const auto& other) { return other.phrase == term.phrase; };
      if (term.known || std::count_if(terms_.begin(), terms_.end(), is_of_phrase) != 1) continue;
      const auto same = std::find_if(misspellings_.begin(), misspellings_.end(),
                                     [&](const Misspelling& it) { return it.clause == term.clause; });
      std::vector<std::string> meanings;
      if (same != misspellings_.end()) {
        meanings = same->meanings;
      } else if (tried++ < kWordsTried) {
        meanings = catalog_.near_words(std::string_view(q_).substr(term.begin, term.end - term.begin), query_.kind,
                                       kMeaningsTried);
      }
      if (!meanings.empty()) misspellings_.push_back({term.begin, term.end, term.clause, std::move(meanings)});
    }
  }

  /// All of them together: one that stays would find nothing.
  void add_near_words(std::vector<Change>& changes) const {
    std::size_t meanings = 0;
    for (const Misspelling& misspelling : misspellings_) meanings = std::max(meanings, misspelling.meanings.size());
    std::vector<Change> tried;
    for (std::size_t i = 0; i < meanings; ++i) tried.push_back(near_words_change(i));
    add_first_that_finds(std::move(tried), changes);
  }

  Change near_words_change(std::size_t meaning) const {
    Change change{{}, row_of(values_, "q"), {}, {}, 1};
    std::size_t words = 0;
    std::string said;
    for (auto it = misspellings_.begin(); it != misspellings_.end(); ++it) {
      const std::string& meant = it->meanings[std::min(meaning, it->meanings.size() - 1)];
      change.respellings.push_back({it->begin, it->end, meant});
      const auto same = [&](const Misspelling& other) { return other.clause == it->clause; };
      if (std::find_if(misspellings_.begin(), it, same) != it) continue;
      said += (++words == 1 ? "" : ", ") + quoted(meant) + " instead of " +
              quoted(std::string_view(q_).substr(it->begin, it->end - it->begin));
    }
    change.said = (words == 1 ? "with the word " : "with the words ") + said;
    return change;
  }

  /// SUGGEST-6
  void add_near_creator(std::vector<Change>& changes) const {
    const Value* creator = values_.find("creator");
    if (creator == nullptr) return;
    std::vector<Change> tried;
    for (const std::string& meant : catalog_.near_creators(creator->text, query_.kind, kMeaningsTried)) {
      Value value = *creator;
      value.text = meant;
      tried.push_back({"with creator " + quoted(meant) + " instead of " + quoted(creator->text),
                       row_of(values_, "creator"),
                       std::move(value),
                       {},
                       1});
    }
    add_first_that_finds(std::move(tried), changes);
  }

  /// Of changes to what may have been meant. Where none finds anything by itself, the first may do so with another.
  void add_first_that_finds(std::vector<Change> tried, std::vector<Change>& changes) const {
    if (tried.empty()) return;
    const auto finds = [&](Change& change) {
      std::vector<Found> found;
      try_changes({&change, 1}, found);
      change.total = found.empty() ? 0 : found.front().suggestion.total;
      return !found.empty();
    };
    const auto first = std::find_if(tried.begin(), tried.end(), finds);
    changes.push_back(std::move(first == tried.end() ? tried.front() : *first));
  }

  /// The same words among tracks of the other kind, where every filter applies there too.
  void add_other_kind(std::vector<Change>& changes) const {
    const Kind other = query_.kind == Kind::music ? Kind::sfx : Kind::music;
    if (terms_.empty() || check_kind(values_, other)) return;
    Value kind;
    kind.text = kKindNames[static_cast<std::size_t>(other)];
    kind.chosen = {static_cast<std::size_t>(other)};
    kind.number = kind.chosen.front();
    changes.push_back({"in kind " + kind.text, row_of(values_, "kind"), kind});
  }

  /// SEARCH-7: speech has to be asked for.
  void add_speech(std::vector<Change>& changes) const {
    if (query_.kind != Kind::sfx) return;
    const Value* category = values_.find("category");
    std::vector<std::string> items = category == nullptr ? std::vector<std::string>{} : category->items;
    if (std::find(items.begin(), items.end(), kSpeechGroup) != items.end()) return;
    items.emplace_back(kSpeechGroup);
    changes.push_back({category == nullptr ? "in category speech" : "with category speech too",
                       row_of(values_, "category"), list_value(items)});
  }

  /// MOST-1: not all words have to be held.
  void add_most(std::vector<Change>& changes) const {
    const std::size_t row = row_of(values_, "match");
    if (query_.match == WordMatch::most || terms_.empty()) return;
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

  /// Words as they were typed, each with its repetitions.
  void add_dropped_words(std::vector<Change>& changes) const {
    std::vector<std::size_t> dropped;
    const std::vector<bool> unknown = unknown_chunks();
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      if (chunks_[i].narrows && first_like(i) == i) dropped.push_back(i);
    }
    const auto is_unknown = [&](std::size_t i) { return unknown[i]; };
    const auto unknown_count = static_cast<std::size_t>(std::count_if(dropped.begin(), dropped.end(), is_unknown));
    const std::size_t row = row_of(values_, "q");
    if (dropped.size() < 2 || unknown_count == dropped.size()) return;
    if (unknown_count > 1) {
      // Of several that no track has, leaving out one is not enough.
      changes.push_back({"without the words that no track has", row, {}, unknown});
      return;
    }
    // A word that no track has is the only one worth leaving out.
    if (unknown_count == 1) dropped = {*std::find_if(dropped.begin(), dropped.end(), is_unknown)};
    if (dropped.size() > kWordsTried) dropped.resize(kWordsTried);
    for (const std::size_t chunk : dropped) {
      std::vector<bool> left_out(chunks_.size());
      for (std::size_t i = 0; i < chunks_.size(); ++i) left_out[i] = first_like(i) == chunk;
      changes.push_back({"without the word " + quoted(chunks_[chunk].text), row, {}, left_out});
    }
  }

  /// Together with near spellings: the words that no track has and that are near to none.
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
    for (std::size_t i = 0; i < chunks_.size(); ++i) unknown[i] = chunks_[i].narrows && !chunks_[i].known;
    return unknown;
  }

  bool is_in_chunk(std::size_t at, std::size_t chunk) const {
    const auto begin = static_cast<std::size_t>(chunks_[chunk].text.data() - q_.data());
    return at >= begin && at < begin + chunks_[chunk].text.size();
  }

  /// The first chunk with the same clauses.
  std::size_t first_like(std::size_t chunk) const {
    const auto same = std::find_if(chunks_.begin(), chunks_.end(), [&](const QueryChunk& it) {
      return it.clauses == chunks_[chunk].clauses && it.narrows == chunks_[chunk].narrows;
    });
    return static_cast<std::size_t>(same - chunks_.begin());
  }

  void try_pairs(std::span<const Change> changes, std::vector<Found>& found) const {
    changes = changes.first(std::min(changes.size(), kPairedMax));
    for (std::size_t i = 0; i < changes.size(); ++i) {
      for (std::size_t j = i + 1; j < changes.size(); ++j) {
        const bool are_words = changes[i].is_of_words() && changes[j].is_of_words();
        if (changes[i].row != changes[j].row || are_words) try_changes(std::array{changes[i], changes[j]}, found);
      }
    }
  }

  void try_changes(std::span<const Change> changes, std::vector<Found>& found) const {
    Values changed = values_;
    std::vector<bool> left_out(chunks_.size());
    std::vector<Respelling> respellings;
    std::string said;
    int near = 0;
    for (const Change& change : changes) {
      said += (said.empty() ? "" : " and ") + change.said;
      near += change.near;
      if (!change.is_of_words()) {
        changed.replace(change.row, change.value);
        continue;
      }
      for (std::size_t i = 0; i < change.left_out.size(); ++i) left_out[i] = left_out[i] || change.left_out[i];
      respellings.insert(respellings.end(), change.respellings.begin(), change.respellings.end());
      Value q;
      q.text = changed_q(left_out, respellings);
      changed.replace(change.row, q.text.empty() ? std::optional<Value>() : q);
    }
    const Value* q = changed.find("q");
    if (q != nullptr && text::code_points(q->text) > table::kQueryTextMax) return;  // near words may be longer
    const SearchQuery query = query_of(changed);
    if (!leaves_words(left_out) || leaves_out_any(left_out, respellings)) return;
    if (check_kind(changed, query.kind)) return;
    if (so_far_ == FoundSoFar::some_words && !finds_all_words(query)) return;
    const std::uint64_t total =
        changes.size() == 1 && changes.front().total ? *changes.front().total : catalog_.count(query);
    if (total == 0) return;
    said.front() = static_cast<char>(said.front() - 'a' + 'A');
    found.push_back(
        {{said + ": " + std::to_string(total) + (total == 1 ? " track." : " tracks."), given(changed), total}, near});
  }

  std::string changed_q(const std::vector<bool>& left_out, std::span<const Respelling> respellings) const {
    const bool leaves_all = std::find(left_out.begin(), left_out.end(), true) == left_out.end();
    return leaves_all ? respelled(q_, q_, respellings) : without_chunks(q_, chunks_, left_out, respellings);
  }

  bool leaves_out_any(const std::vector<bool>& left_out, std::span<const Respelling> respellings) const {
    return std::any_of(respellings.begin(), respellings.end(), [&](const Respelling& respelling) {
      for (std::size_t i = 0; i < chunks_.size(); ++i) {
        if (left_out[i] && is_in_chunk(respelling.begin, i)) return true;
      }
      return false;
    });
  }

  /// Whether a word that narrows stays, or none is left out. A function word by itself would narrow.
  bool leaves_words(const std::vector<bool>& left_out) const {
    if (std::find(left_out.begin(), left_out.end(), true) == left_out.end()) return true;
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      if (chunks_[i].narrows && !left_out[i]) return true;
    }
    return false;
  }

  bool finds_all_words(SearchQuery query) const {
    query.match = WordMatch::all;
    return catalog_.count(query) > 0;
  }

  std::size_t items_given() const {
    std::size_t items = 0;
    for (std::size_t i = 0; i < values_.parameters().size(); ++i) {
      if (values_.at(i)) items += values_.at(i)->items.size();
    }
    return items;
  }

  const Catalog& catalog_;
  const Values& values_;
  FoundSoFar so_far_;
  SearchQuery query_;
  std::string q_;
  std::vector<Catalog::QueryTerm> terms_;
  std::vector<QueryChunk> chunks_;  // of `q_`
  std::vector<Misspelling> misspellings_;
};

}  // namespace

std::vector<table::Suggestion> suggest(const Catalog& catalog, const Values& values, FoundSoFar so_far) {
  return Suggester(catalog, values, so_far).suggest();
}

}  // namespace tonearm::api
