#include "catalog/query/unwanted.h"

#include <algorithm>

#include "text/unicode.h"

namespace tonearm::catalog {
namespace {

bool is_negation(const Token& token) { return token.folded == "no" || token.folded == "without"; }

bool is_article(const Token& token) {
  return token.folded == "a" || token.folded == "an" || token.folded == "any" || token.folded == "the";
}

/// Whether a separator is between two tokens. `is_separator(code_point)`.
template <class IsSeparator>
bool are_separate(std::string_view q, const Token& first, const Token& second, const IsSeparator& is_separator) {
  const std::string_view between = q.substr(first.end, second.begin - first.end);
  for (std::size_t at = 0; at < between.size();) {
    if (is_separator(text::next_code_point(between, at))) return true;
  }
  return false;
}

/// Whether white space separates two tokens.
bool are_apart(std::string_view q, const Token& first, const Token& second) {
  return are_separate(q, first, second, text::is_white_space);
}

/// Whether a token starts a word. As in suggestions (SUGGEST-5), not only white space ends the word before.
bool starts_word(std::string_view q, std::span<const Token> tokens, std::size_t at) {
  return at == 0 || are_separate(q, tokens[at - 1], tokens[at], text::is_word_separator);
}

/// Returns the number of tokens of the word at the start, as it was typed, or of a longer synonym.
std::size_t length_of_word(std::string_view q, std::span<const Token> tokens, const Synonyms& synonyms) {
  std::size_t length = 1;
  while (length < tokens.size() && !are_apart(q, tokens[length - 1], tokens[length])) ++length;
  return std::max(length, synonyms.longest_match(tokens).length);
}

}  // namespace

std::vector<TokenRole> token_roles(std::string_view q, std::span<const Token> tokens, const Synonyms& synonyms) {
  std::vector<TokenRole> roles(tokens.size(), TokenRole::wanted);
  for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
    if (!is_negation(tokens[at]) || !starts_word(q, tokens, at) || !are_apart(q, tokens[at], tokens[at + 1])) continue;
    std::size_t word = at + 1;
    while (word < tokens.size() && is_article(tokens[word])) ++word;
    if (word == tokens.size()) break;
    const std::size_t end = word + length_of_word(q, tokens.subspan(word), synonyms);
    std::fill(roles.begin() + static_cast<std::ptrdiff_t>(at), roles.begin() + static_cast<std::ptrdiff_t>(word),
              TokenRole::negation);
    std::fill(roles.begin() + static_cast<std::ptrdiff_t>(word), roles.begin() + static_cast<std::ptrdiff_t>(end),
              TokenRole::unwanted);
    at = end - 1;
  }
  const bool has_wanted = std::find(roles.begin(), roles.end(), TokenRole::wanted) != roles.end();
  if (!has_wanted) std::fill(roles.begin(), roles.end(), TokenRole::wanted);
  return roles;
}

std::vector<Token> tokens_with(TokenRole role, std::span<const Token> tokens, std::span<const TokenRole> roles) {
  std::vector<Token> found;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (roles[i] == role) found.push_back(tokens[i]);
  }
  return found;
}

std::vector<TermSet> unwanted_term_sets(std::span<const Token> tokens, std::span<const TokenRole> roles) {
  std::vector<TermSet> sets;
  std::vector<std::string> stems;
  for (std::size_t i = 0; i <= tokens.size(); ++i) {
    if (i < tokens.size() && roles[i] == TokenRole::unwanted) {
      stems.push_back(tokens[i].stem);
    } else if (!stems.empty()) {
      sets.push_back(as_term_set(std::move(stems)));
      stems.clear();
    }
  }
  return sets;
}

}  // namespace tonearm::catalog
