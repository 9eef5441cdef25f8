#include "oracle.h"
#include "oracle_near.h"

#include <doctest/doctest.h>
#include <algorithm>
#include <climits>
#include <cstdlib>
#include <iostream>

#include "fakes.h"
#include "oracle_random.h"
#include "oracle_service.h"

namespace tonearm::test {
namespace {

using oracle::NearOracle;
using oracle::Oracle;
using oracle::Parameters;

constexpr int kRounds = 100;
constexpr int kSearchesOfRound = 165;
constexpr int kSimilarsOfRound = 40;
constexpr std::uint64_t kSeedGiven = 20260115;

/// TONEARM_ORACLE_SEED starts another random run, or repeats one that failed.
std::uint64_t seed_of_run() {
  const char* const given = std::getenv("TONEARM_ORACLE_SEED");
  return given == nullptr ? kSeedGiven : std::strtoull(given, nullptr, 10);
}

std::string joined(const std::vector<std::string>& ids) {
  std::string text;
  for (const auto& id : ids) text += id + ' ';
  return text;
}

/// Compares one page with the whole list: its tracks, the total and the cursor. Returns the next cursor; "" at the end.
std::string check_page(const boost::json::object& page, const std::vector<std::string>& all, std::size_t offset,
                       std::size_t limit) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(std::min(offset, all.size()));
  const auto last = all.begin() + static_cast<std::ptrdiff_t>(std::min(offset + limit, all.size()));
  CHECK(page.at("total").to_number<std::uint64_t>() == all.size());
  CHECK(joined(ids_of(page)) == joined({first, last}));
  const bool is_last = offset + limit >= all.size();
  CHECK(page.at("cursor").is_null() == is_last);
  if (is_last || page.at("cursor").is_null()) return {};
  std::string cursor(page.at("cursor").as_string());
  CHECK(cursor == std::to_string(offset + limit));
  return cursor;
}

/// SEARCH-12: the number of matches that each track of a page represents.
void check_variants(const boost::json::object& page, const std::vector<std::size_t>& all, std::size_t offset) {
  for (const auto& track : page.at("tracks").as_array()) {
    const auto* count = track.as_object().if_contains("variants");
    CHECK((count != nullptr) == !all.empty());
    if (count != nullptr && offset < all.size()) CHECK(count->to_number<std::size_t>() == all[offset++]);
  }
}

/// Checks one page, and sometimes all of them.
boost::json::object check_pages(TestService& service, SeededRandom& random, const std::string& path,
                                Parameters parameters, const std::vector<std::string>& all,
                                const std::vector<std::size_t>& variants = {}) {
  const std::size_t limit = 1 + random.below(50);
  if (limit != 20) parameters["limit"] = std::to_string(limit);
  const bool every_page = random.below(8) == 0;
  std::size_t offset = every_page || random.below(3) != 0 ? 0 : random.below(all.size() + 3);
  if (offset != 0) parameters["cursor"] = std::to_string(offset);
  boost::json::object first;
  while (true) {
    const std::string target = path + oracle::query_string(parameters);
    INFO(target);
    boost::json::object page = service.get(target);
    const std::string next = check_page(page, all, offset, limit);
    check_variants(page, variants, offset);
    if (first.empty()) first = std::move(page);
    if (next.empty() || !every_page) return first;
    parameters["cursor"] = next;
    offset += limit;
  }
}

/// What suggestions are compared with.
struct Reference {
  const Oracle& searches;
  const NearOracle& near;
  oracle::Words& words;
};

/// Whether `after` is `before` with words dropped and others replaced by near ones.
struct WordChanges {
  bool are_allowed = true;
  bool are_near = false;
};
WordChanges word_changes(const Reference& reference, const std::string& before, const std::string& after) {
  const std::vector<oracle::Token> typed = reference.words.of(before);
  const std::vector<oracle::Token> offered = reference.words.of(after);
  const auto is_same = [](const oracle::Token& a, const oracle::Token& b) { return a.whole == b.whole; };
  std::size_t kept = 0;
  for (const oracle::Token& word : typed) {
    if (kept < offered.size() && is_same(word, offered[kept])) ++kept;
  }
  if (kept == offered.size()) return {};
  WordChanges changes;
  std::size_t at = 0;
  for (const oracle::Token& word : offered) {
    while (at < typed.size() && typed[at].whole != word.whole && !reference.near.is_near_word(typed[at], word)) ++at;
    if (at == typed.size()) return {false, false};
    changes.are_near = changes.are_near || typed[at].whole != word.whole;
    ++at;
  }
  return changes;
}

/// What a suggestion changed.
struct Changes {
  int count = 0;
  bool are_allowed = true;
  int near = 0;
  bool is_without_q = false;  // and nothing else
};

/// SUGGEST-3, SUGGEST-5
Changes changes_of(const Reference& reference, const Parameters& request, const Parameters& relaxed) {
  const auto value_in = [](const Parameters& parameters, const std::string& name) {
    const auto found = parameters.find(name);
    if (found != parameters.end()) return found->second;
    return std::string(name == "kind" ? "music" : "");
  };
  std::set<std::string> names;
  for (const auto* parameters : {&request, &relaxed}) {
    for (const auto& [name, value] : *parameters) names.insert(name);
  }
  Changes changes;
  for (const std::string& name : names) {
    const std::string before = value_in(request, name);
    const std::string after = value_in(relaxed, name);
    if (before == after) continue;
    ++changes.count;
    if (name == "q") {
      const WordChanges words = word_changes(reference, before, after);
      changes.are_allowed = changes.are_allowed && words.are_allowed;
      changes.near += words.are_near ? 1 : 0;
      changes.is_without_q = after.empty();
    } else if (name == "kind" || (name == "match" && after == "most")) {
      changes.are_allowed = changes.are_allowed && request.count("q") != 0;
    } else if (name == "creator" && !after.empty()) {
      changes.are_allowed = changes.are_allowed && reference.near.is_near_creator(before, after);
      ++changes.near;
    } else if (!after.empty()) {
      // Repeated items are dropped with it.
      const bool adds_speech = name == "category" && (after == "speech" || after.ends_with(",speech"));
      const bool is_facet = std::find(kFacetNames.begin(), kFacetNames.end(), name) != kFacetNames.end();
      changes.near += is_facet || name == "source" || (name == "category" && !adds_speech) ? 1 : 0;
      changes.are_allowed = changes.are_allowed && (name == "category" || is_facet || name == "source");
    }
  }
  changes.is_without_q = changes.is_without_q && changes.count == 1;
  return changes;
}

bool a_filter_less_helps(const Oracle& reference, const Parameters& request) {
  for (const auto& [name, value] : oracle::filters_of(request)) {
    if (name == "kind") continue;
    Parameters fewer = request;
    fewer.erase(name);
    if (!reference.search(fewer).empty()) return true;
  }
  return false;
}

bool has_all_words(const Oracle::MatchedWords& matched) {
  return matched.words == 0 || (!matched.matched.empty() && matched.matched.front().first == matched.words);
}

/// SUGGEST-6, SUGGEST-8: returns how many tracks the near word or near creator finds; 0 if there is none.
std::size_t found_by_near(const Reference& reference, const Parameters& request, const std::string& name) {
  if (request.count(name) == 0) return 0;
  if (name == "q" && reference.searches.has_unwanted(request)) return 0;  // its reference corrects "no", too
  const Kind kind = request.count("kind") != 0 && request.at("kind") == "sfx" ? Kind::sfx : Kind::music;
  const std::string& value = request.at(name);
  for (const std::string& offered :
       name == "q" ? reference.near.near_queries(value, kind) : reference.near.near_creators(value, kind)) {
    Parameters changed = request;
    changed[name] = offered;
    const std::size_t found = reference.searches.search(changed).size();
    if (found == 0) continue;
    // MOST-5
    if (!reference.searches.search(request).empty() && !has_all_words(reference.searches.matched_words(changed)))
      continue;
    return found;
  }
  return 0;
}

/// AUTO-5: checks that a suggestion excludes the unwanted words; returns what it finds.
std::size_t check_excluding(const Reference& reference, const Parameters& request, const Parameters& changed) {
  CHECK(reference.searches.has_unwanted(request));
  CHECK(!reference.searches.has_unwanted(changed));
  Parameters others = changed;
  others["q"] = request.at("q");
  others.erase("exclude");
  if (request.count("exclude") != 0) others["exclude"] = request.at("exclude");
  CHECK(others == request);
  return reference.searches.search(changed).size();
}

void check_suggestions(TestService& service, const Reference& reference, const Parameters& request,
                       const boost::json::object& page) {
  REQUIRE(page.contains("suggestions"));
  const auto& suggestions = page.at("suggestions").as_array();
  CHECK(suggestions.size() <= 3);
  const bool found_none = page.at("total").to_number<std::uint64_t>() == 0;
  CHECK((!suggestions.empty() || !found_none || !a_filter_less_helps(reference.searches, request)));
  for (const std::string name : {"q", "creator"}) {
    const std::size_t expected = found_by_near(reference, request, name);
    if (expected == 0) continue;
    CAPTURE(name);
    CHECK(std::any_of(suggestions.begin(), suggestions.end(), [&](const auto& suggestion) {
      return suggestion.at("total").template to_number<std::size_t>() == expected &&
             suggestion.at("message").as_string().starts_with(name == "q" ? "With the word" : "With creator");
    }));
  }
  std::uint64_t before = UINT64_MAX;
  int near_before = INT_MAX;
  bool was_without_q = false;
  for (const auto& suggestion : suggestions) {
    Parameters relaxed;
    for (const auto& [name, value] : suggestion.at("parameters").as_object()) {
      relaxed.emplace(name, value.as_string());
    }
    const std::string target = "/v1/search" + oracle::query_string(relaxed);
    INFO("suggestion: " << target);
    const auto total = suggestion.at("total").to_number<std::uint64_t>();
    if (&suggestion == &suggestions.front() && suggestion.at("message").as_string().starts_with("With exclude=")) {
      CHECK(check_excluding(reference, request, relaxed) == total);
      continue;
    }
    const Changes changes = changes_of(reference, request, relaxed);
    CHECK(changes.are_allowed);
    CHECK((changes.count == 1 ||
           (changes.count == 2 && (!found_none || !a_filter_less_helps(reference.searches, request)))));
    CHECK(total > 0);
    // SUGGEST-4
    CHECK(!was_without_q);
    CHECK((changes.near <= near_before || changes.is_without_q));
    CHECK((total <= before || changes.near != near_before || changes.is_without_q));
    CHECK(total == reference.searches.search(relaxed).size());
    CHECK(total == service.get(target).at("total").to_number<std::uint64_t>());
    before = total;
    near_before = changes.near;
    was_without_q = changes.is_without_q;
  }
}

/// MOST-3: whether the answer has the right word counts.
void check_matched(const boost::json::object& page, const Oracle::MatchedWords& expected) {
  CHECK(page.contains("words") == (expected.words > 0));
  CHECK(page.contains("matched") == (expected.words > 0));
  if (expected.words == 0) return;
  boost::json::array matched;
  for (const auto& [words, total] : expected.matched) matched.push_back({{"words", words}, {"total", total}});
  CHECK(page.at("words").to_number<std::size_t>() == expected.words);
  CHECK(boost::json::serialize(page.at("matched")) == boost::json::serialize(matched));
}

/// SEARCH-11: the counts of each requested facet, and no others.
void check_facets(const boost::json::object& page, const Oracle& reference, const Parameters& parameters) {
  CHECK(page.contains("facets") == (parameters.count("facets") != 0));
  if (!page.contains("facets")) return;
  const std::vector<std::string> requested = oracle::list(parameters.at("facets"));
  boost::json::object facets;
  for (const std::string_view name : kCountedFacetNames) {
    if (std::find(requested.begin(), requested.end(), name) == requested.end()) continue;
    boost::json::array values;
    for (const auto& [value, count] : reference.facet_counts(parameters, std::string(name))) {
      values.push_back({{"id", value.first}, {"label", value.second}, {"count", count}});
    }
    facets.emplace(name, std::move(values));
  }
  CHECK(boost::json::serialize(page.at("facets")) == boost::json::serialize(facets));
}

struct Tally {
  std::uint64_t searches = 0;
  std::uint64_t tiered = 0;
  std::uint64_t collapsed = 0;
  std::uint64_t empty = 0;
  std::uint64_t suggestions = 0;
  std::uint64_t similars = 0;
};

void play_search(TestService& service, SeededRandom& random, const Reference& reference,
                 const oracle::RandomCatalog& catalog, Tally& tally) {
  Parameters parameters = oracle::random_search(random, catalog);
  const auto all = reference.searches.search(parameters);
  const Oracle::MatchedWords matched = reference.searches.matched_words(parameters);
  const std::vector<std::size_t> variants = reference.searches.variants(parameters);
  if (random.below(4) != 0) parameters["fields"] = "id";
  if (random.below(3) == 0) parameters["facets"] = oracle::random_facets(random, parameters);
  ++tally.searches;
  if (matched.words > 1) ++tally.tiered;
  if (std::any_of(variants.begin(), variants.end(), [](std::size_t count) { return count > 1; })) ++tally.collapsed;
  if (!all.empty()) {
    const auto page = check_pages(service, random, "/v1/search", parameters, all, variants);
    check_matched(page, matched);
    check_facets(page, reference.searches, parameters);
    const bool is_complete = has_all_words(matched);
    if (!reference.searches.has_unwanted(parameters)) CHECK(page.contains("suggestions") != is_complete);
    // Each suggestion needs a search of its own, so only some are checked.
    if (!page.contains("suggestions") || random.below(4) != 0) return;
    check_suggestions(service, reference, parameters, service.get("/v1/search" + oracle::query_string(parameters)));
    return;
  }
  ++tally.empty;
  const std::string target = "/v1/search" + oracle::query_string(parameters);
  INFO(target);
  const auto page = service.get(target);
  check_page(page, all, 0, 20);
  check_matched(page, matched);
  check_facets(page, reference.searches, parameters);
  check_suggestions(service, reference, parameters, page);
  tally.suggestions += page.at("suggestions").as_array().size();
}

void play_similar(TestService& service, SeededRandom& random, const Oracle& reference, const std::vector<Track>& tracks,
                  Tally& tally) {
  const Track& track = tracks[random.below(tracks.size())];
  const Parameters parameters = oracle::random_similar(random);
  check_pages(service, random, "/v1/tracks/" + track.id + "/similar", parameters,
              reference.similar(track.id, parameters));
  ++tally.similars;
}

std::size_t size_of_round(SeededRandom& random, int round) {
  if (round == 0) return 0;
  if (round == 1) return 1;
  if (round < 5) return 2'000;  // enough for deep pages of many matches
  return 5 + random.below(random.below(296) + 1);
}

TEST_CASE("Searches and similar lists equal those of a naive reference, in totals, members and order" *
          doctest::test_suite("long")) {
  const std::uint64_t seed = seed_of_run();
  CAPTURE(seed);
  oracle::Words words;
  TestService service;
  Tally tally;
  for (int round = 0; round < kRounds; ++round) {
    SeededRandom random(seed + static_cast<std::uint64_t>(round));
    CAPTURE(round);
    const oracle::RandomCatalog catalog = oracle::random_catalog(random, size_of_round(random, round));
    words.learn(oracle::texts_of(catalog));
    const Oracle reference(catalog.tracks, catalog.options, words);
    const NearOracle near(catalog.tracks, catalog.options, words);
    put_catalog(service, round, snapshot_bytes(catalog.tracks, catalog.options));
    for (int i = 0; i < kSearchesOfRound; ++i) play_search(service, random, {reference, near, words}, catalog, tally);
    if (catalog.tracks.empty()) continue;
    for (int i = 0; i < kSimilarsOfRound; ++i) play_similar(service, random, reference, catalog.tracks, tally);
  }
  std::cout << "oracle: seed " << seed << ", " << tally.searches << " searches, " << tally.tiered
            << " of them for some of several words, " << tally.collapsed << " that hide variants, " << tally.empty
            << " empty with " << tally.suggestions << " suggestions, " << tally.similars << " similar lists\n";
  CHECK(tally.searches + tally.similars >= 20'000);
}

// SORT-6
TEST_CASE("Late pages of many matches equal those of a naive reference") {
  constexpr std::size_t kFirstOffset = 480;  // ranked in another way from there on
  SeededRandom random(seed_of_run());
  const oracle::RandomCatalog catalog = oracle::random_catalog(random, 6'000);
  oracle::Words words;
  words.learn(oracle::texts_of(catalog));
  const Oracle reference(catalog.tracks, catalog.options, words);
  TestService service;
  put_catalog(service, 0, snapshot_bytes(catalog.tracks, catalog.options));
  int searches = 0;
  for (int i = 0; i < 1'000 && searches < 40; ++i) {
    Parameters parameters = oracle::random_search(random, catalog);
    if (parameters.count("q") == 0) continue;
    const auto all = reference.search(parameters);
    if (all.size() < 2 * kFirstOffset) continue;
    ++searches;
    for (int page = 0; page < 8; ++page) {
      const std::size_t offset = kFirstOffset + random.below(all.size() - kFirstOffset);
      const std::size_t limit = 1 + random.below(50);
      parameters["cursor"] = std::to_string(offset);
      parameters["limit"] = std::to_string(limit);
      const std::string target = "/v1/search" + oracle::query_string(parameters);
      INFO(target);
      check_page(service.get(target), all, offset, limit);
    }
  }
  CHECK(searches == 40);
}

}  // namespace
}  // namespace tonearm::test
