#include "api/suggestions.h"

#include <algorithm>
#include <array>

#include "api/search_parameters.h"
#include "text/unicode.h"

namespace tonearm::api {
namespace {

constexpr std::size_t kSuggestionsMax = 3;

/// Each word left out is a search of its own: of a very long query only so many are tried.
constexpr std::size_t kTermsTried = 8;

/// Parameters that narrow nothing: dropping one is no relaxation.
constexpr std::array<std::string_view, 8> kNoFilters{"q", "match", "kind", "sort", "seed", "limit", "cursor", "fields"};

struct Relaxed {
  std::string change;  // "Without tempo"
  Values values;
};

std::size_t row_of(const Values& values, std::string_view name) {
  const auto rows = values.parameters();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const auto& parameter) { return parameter.name == name; });
  return static_cast<std::size_t>(row - rows.begin());
}

Relaxed with_q(const Values& values, std::string change, std::string q) {
  Relaxed relaxed{std::move(change), values};
  std::optional<Value> value;
  if (!q.empty()) value.emplace().text = std::move(q);
  relaxed.values.replace(row_of(values, "q"), std::move(value));
  return relaxed;
}

/// `text` without the terms for which `drop` says so; white space is tidied.
template <class Drop>
std::string without_terms(std::string_view text, const std::vector<Catalog::QueryTerm>& terms, Drop drop) {
  std::string kept;
  std::size_t from = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!drop(i)) continue;
    kept += text.substr(from, terms[i].begin - from);
    from = terms[i].end;
  }
  kept += text.substr(from);
  return text::one_line(kept);
}

std::vector<Relaxed> drop_filters(const Values& values) {
  std::vector<Relaxed> candidates;
  for (std::size_t i = 0; i < values.parameters().size(); ++i) {
    const std::string_view name = values.parameters()[i].name;
    if (!values.at(i) || std::find(kNoFilters.begin(), kNoFilters.end(), name) != kNoFilters.end()) continue;
    Relaxed relaxed{"Without " + std::string(name), values};
    relaxed.values.replace(i, std::nullopt);
    candidates.push_back(std::move(relaxed));
  }
  return candidates;
}

/// The words of a query without which it finds something, as far as one relaxation can tell.
std::vector<Relaxed> drop_terms(const Catalog& catalog, const Values& values, const std::string& q) {
  const auto terms = catalog.terms(q);
  std::vector<std::uint32_t> clauses;
  std::vector<std::uint32_t> unknown;
  for (const auto& term : terms) {
    if (!term.narrows || std::find(clauses.begin(), clauses.end(), term.clause) != clauses.end()) continue;
    clauses.push_back(term.clause);
    if (!term.known) unknown.push_back(term.clause);
  }
  std::vector<Relaxed> candidates;
  if (clauses.size() < 2 || unknown.size() == clauses.size()) return candidates;
  if (unknown.size() > 1) {
    // Of several that no track has, leaving out one is not enough.
    std::string rest = without_terms(q, terms, [&](std::size_t i) { return terms[i].narrows && !terms[i].known; });
    candidates.push_back(with_q(values, "Without the words that no track has", std::move(rest)));
    return candidates;
  }
  // A word that no track has is the only one worth leaving out.
  std::vector<std::uint32_t>& dropped = unknown.empty() ? clauses : unknown;
  if (dropped.size() > kTermsTried) dropped.resize(kTermsTried);
  for (const std::uint32_t clause : dropped) {
    const auto in_clause = [&](std::size_t i) { return terms[i].clause == clause; };
    const auto first =
        std::find_if(terms.begin(), terms.end(), [&](const auto& term) { return term.clause == clause; });
    const std::string_view word = std::string_view(q).substr(first->begin, first->end - first->begin);
    candidates.push_back(
        with_q(values, "Without the word \"" + text::quotable(word) + '"', without_terms(q, terms, in_clause)));
  }
  return candidates;
}

/// The same words among tracks of the other kind, where every filter applies there too.
std::vector<Relaxed> other_kind(const Catalog& catalog, const Values& values) {
  const Value* q = values.find("q");
  if (q == nullptr || !catalog.has_words(q->text)) return {};
  const bool is_music = to_search_query(values).kind == Kind::music;
  const Kind other = is_music ? Kind::sfx : Kind::music;
  if (check_kind(values, other)) return {};
  Relaxed relaxed{is_music ? "In kind sfx" : "In kind music", values};
  Value kind;
  kind.text = kKindNames[static_cast<std::size_t>(other)];
  kind.chosen = {static_cast<std::size_t>(other)};
  kind.number = kind.chosen.front();
  relaxed.values.replace(row_of(values, "kind"), kind);
  return {std::move(relaxed)};
}

std::vector<std::pair<std::string, std::string>> given(const Values& values) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for (std::size_t i = 0; i < values.parameters().size(); ++i) {
    const std::string_view name = values.parameters()[i].name;
    if (values.at(i) && name != "cursor") parameters.emplace_back(name, values.at(i)->text);
  }
  return parameters;
}

/// Counts the candidates and appends those that find something, at most until there are three.
void append_found(const Catalog& catalog, const std::vector<Relaxed>& candidates, std::vector<table::Suggestion>& to) {
  std::vector<table::Suggestion> found;
  for (const Relaxed& candidate : candidates) {
    const std::uint64_t total = catalog.count(to_search_query(candidate.values));
    if (total == 0) continue;
    const std::string message = candidate.change + ": " + std::to_string(total) + (total == 1 ? " track." : " tracks.");
    found.push_back({message, given(candidate.values), total});
  }
  const auto by_total = [](const auto& a, const auto& b) { return a.total > b.total; };
  std::stable_sort(found.begin(), found.end(), by_total);
  const std::size_t room = kSuggestionsMax - to.size();
  if (found.size() > room) found.erase(found.begin() + static_cast<std::ptrdiff_t>(room), found.end());
  to.insert(to.end(), found.begin(), found.end());
  std::stable_sort(to.begin(), to.end(), by_total);
}

}  // namespace

std::vector<table::Suggestion> suggest(const Catalog& catalog, const Values& values) {
  const Value* q = values.find("q");
  std::vector<Relaxed> candidates = drop_filters(values);
  if (q != nullptr) {
    for (Relaxed& relaxed : drop_terms(catalog, values, q->text)) candidates.push_back(std::move(relaxed));
  }
  // What keeps every word and filter is offered before what drops one.
  std::vector<table::Suggestion> suggestions;
  append_found(catalog, other_kind(catalog, values), suggestions);
  append_found(catalog, candidates, suggestions);
  // A search without any of its words finds most, and helps least: it is offered last.
  if (q != nullptr && catalog.has_words(q->text) && suggestions.size() < kSuggestionsMax) {
    append_found(catalog, {with_q(values, "Without q", {})}, suggestions);
  }
  return suggestions;
}

}  // namespace tonearm::api
