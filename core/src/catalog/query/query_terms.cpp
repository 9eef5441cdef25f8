#include "catalog/query/query_terms.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "text/unique.h"

namespace tonearm::catalog {
namespace {

constexpr std::array<std::string_view, 40> kFunctionWords{
    "a",     "an",    "and",    "are",   "as",    "at",     "be",     "by",      "for",   "from",
    "in",    "into",  "is",     "it",    "its",   "my",     "of",     "on",      "or",    "our",
    "some",  "that",  "the",    "their", "this",  "to",     "with",   "your",    "music", "song",
    "songs", "track", "tracks", "tune",  "sound", "sounds", "effect", "effects", "sfx",   "audio"};

}  // namespace

TermSet as_term_set(std::vector<std::string> stems) {
  std::sort(stems.begin(), stems.end());
  stems.erase(std::unique(stems.begin(), stems.end()), stems.end());
  return stems;
}

void Synonyms::add_set(const std::vector<std::string>& texts, Tokenizer& tokenizer) {
  const std::size_t set = sets_.size();
  sets_.emplace_back();
  for (const auto& text : texts) {
    std::vector<std::string> stems;
    std::vector<Token> tokens = tokenizer.tokens(text);
    if (tokens.empty()) continue;
    stems.reserve(tokens.size());
    for (const Token& token : tokens) stems.push_back(token.stem);
    sets_.back().term_sets.push_back(as_term_set(stems));
    if (tokens.size() > 1) sets_.back().phrases.push_back(std::move(tokens));
    longest_ = std::max(longest_, stems.size());
    auto& sets = sets_of_stems_[std::move(stems)];
    if (sets.empty() || sets.back() != set) sets.push_back(set);
  }
}

Synonyms::Match Synonyms::longest_match(std::span<const Token> tokens) const {
  for (std::size_t length = std::min(longest_, tokens.size()); length > 0; --length) {
    std::vector<std::string> stems;
    for (const Token& token : tokens.first(length)) stems.push_back(token.stem);
    const auto found = sets_of_stems_.find(stems);
    if (found == sets_of_stems_.end()) continue;
    std::vector<TermSet> term_sets;
    std::vector<PhraseView> phrases;
    for (const auto number : found->second) {
      const Set& set = sets_[number];
      term_sets.insert(term_sets.end(), set.term_sets.begin(), set.term_sets.end());
      phrases.insert(phrases.end(), set.phrases.begin(), set.phrases.end());
    }
    std::sort(term_sets.begin(), term_sets.end());
    term_sets.erase(std::unique(term_sets.begin(), term_sets.end()), term_sets.end());
    return {length, std::move(term_sets), std::move(phrases)};
  }
  return {};
}

bool is_function_word(std::string_view folded) {
  return std::find(kFunctionWords.begin(), kFunctionWords.end(), folded) != kFunctionWords.end();
}

std::string tag_of(std::span<const Token> tokens) {
  std::string tag;
  for (const Token& token : tokens) tag.append(tag.empty() ? "" : "-").append(token.folded);
  return tag;
}

std::vector<ParsedClause> split_clauses(std::span<const Token> tokens, const Synonyms& synonyms) {
  std::vector<ParsedClause> clauses;
  while (!tokens.empty()) {
    Synonyms::Match found = synonyms.longest_match(tokens);
    if (found.length == 0) found = {1, {{tokens.front().stem}}, {}};
    std::vector<std::string> stems;
    for (const Token& token : tokens.first(found.length)) stems.push_back(token.stem);
    std::vector<std::uint64_t> phrases;
    if (stems.size() <= kRelatedWordsMax) phrases.push_back(thesaurus_hash(stems));
    std::vector<std::string> tags;
    if (found.length <= kTermsInTag) tags.push_back(tag_of(tokens.first(found.length)));
    clauses.push_back({{std::move(found.term_sets), {as_term_set(stems)}, std::move(phrases), std::move(tags)},
                       std::move(found.phrases),
                       found.length,
                       found.length == 1 && is_function_word(tokens.front().folded)});
    tokens = tokens.subspan(found.length);
  }
  return clauses;
}

bool has_narrower(const Clause& clause, const Thesaurus& thesaurus) {
  return std::any_of(clause.phrases.begin(), clause.phrases.end(), [&](std::uint64_t phrase) {
    const std::vector<ThesaurusTarget> targets = thesaurus.find(phrase);
    return !targets.empty() && targets.front().relation == Relation::narrower;  // these come first
  });
}

std::vector<std::uint64_t> related_phrases(std::span<const Token> tokens, std::span<const ParsedClause> clauses) {
  const bool has_content =
      std::any_of(clauses.begin(), clauses.end(), [](const ParsedClause& it) { return !it.is_function_word; });
  std::vector<std::uint64_t> phrases;
  for (const ParsedClause& parsed : clauses) {
    if (has_content && parsed.is_function_word) continue;
    phrases.insert(phrases.end(), parsed.clause.phrases.begin(), parsed.clause.phrases.end());
  }
  tokens = tokens.first(std::min(tokens.size(), kTokensInPhrases));
  for (std::size_t begin = 0; begin < tokens.size(); ++begin) {
    std::vector<std::string> stems{tokens[begin].stem};
    for (std::size_t end = begin + 1; end < tokens.size() && stems.size() < kRelatedWordsMax; ++end) {
      stems.push_back(tokens[end].stem);
      phrases.push_back(thesaurus_hash(stems));
    }
  }
  text::keep_first_of_equals(phrases);
  return phrases;
}

std::vector<Clause> make_clauses(std::vector<ParsedClause> all) {
  std::vector<Clause> content;
  std::vector<Clause> function;
  for (ParsedClause& parsed : all) {
    std::vector<Clause>& clauses = parsed.is_function_word ? function : content;
    const auto same = std::find_if(clauses.begin(), clauses.end(),
                                   [&](const Clause& clause) { return clause.has_same_terms(parsed.clause); });
    if (same == clauses.end()) {
      clauses.push_back(std::move(parsed.clause));
    } else {
      same->phrases.insert(same->phrases.end(), parsed.clause.phrases.begin(), parsed.clause.phrases.end());
      same->tags.insert(same->tags.end(), parsed.clause.tags.begin(), parsed.clause.tags.end());
      TermSet& terms = parsed.clause.query_term_sets.front();
      if (std::find(same->query_term_sets.begin(), same->query_term_sets.end(), terms) == same->query_term_sets.end()) {
        same->query_term_sets.push_back(std::move(terms));
      }
    }
  }
  return content.empty() ? function : content;
}

}  // namespace tonearm::catalog
