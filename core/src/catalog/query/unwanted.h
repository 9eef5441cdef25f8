#pragma once
// The words that a query does not want: "no W" and "without W" (AUTO-5). Pure, thread-safe.

#include <span>
#include <string_view>
#include <vector>

#include "catalog/query/query_terms.h"

namespace tonearm::catalog {

/// What a token of `q` means with match=auto.
enum class TokenRole : std::uint8_t {
  wanted,
  negation,  // "no", "without", and an article after them
  unwanted,
};

/// Returns the role of each token. An unwanted word is a word as it was typed ("hip-hop") or the longest phrase of a
/// synonym set. All tokens are wanted if otherwise none would be. REQUIRES: `tokens` are those of `q`.
std::vector<TokenRole> token_roles(std::string_view q, std::span<const Token> tokens, const Synonyms& synonyms);

/// Returns the tokens with this role.
std::vector<Token> tokens_with(TokenRole role, std::span<const Token> tokens, std::span<const TokenRole> roles);
/// Returns a term set for each unwanted word.
std::vector<TermSet> unwanted_term_sets(std::span<const Token> tokens, std::span<const TokenRole> roles);

}  // namespace tonearm::catalog
