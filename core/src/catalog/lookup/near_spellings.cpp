#include "catalog/lookup/near_spellings.h"

#include <algorithm>
#include <bit>
#include <tuple>

#include "catalog/index/facets.h"
#include "text/unicode.h"
#include "tonearm/edits.h"

namespace tonearm::catalog {
namespace {

/// A spelling whose set of letters is close enough: an edit replaces at most one letter by another.
struct Candidate {
  Spellings::TextRange text;
  std::uint32_t tracks = 0;
};

struct NearSpelling {
  std::size_t edits = 0;
  std::uint32_t tracks = 0;
  std::string text;
};

struct TypedSpelling {
  std::string_view text;
  const std::u32string& folded;
};

/// Returns the edits between spellings as in `edits_within`. Words in ASCII are compared as they are stored.
std::size_t edits_between(SpellingList list, const TypedSpelling& typed, std::string_view text, std::size_t at_most) {
  const bool are_letters =
      list == SpellingList::words && typed.text.size() == typed.folded.size() &&
      std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (are_letters) return edits_within<char>(typed.text, text, at_most);
  const auto other = fold_spelling(list, text);
  return other ? edits_within<char32_t>(typed.folded, *other, at_most) : at_most + 1;
}

std::vector<std::string> near_spellings(SpellingList list, std::string_view typed, const NearQuery& query,
                                        const Index& index, const Fetcher& fetcher) {
  const auto folded = fold_spelling(list, typed);
  const std::size_t edits_max = folded ? typo_edits_max(folded->size()) : 0;
  if (edits_max == 0) return {};
  const LengthRange lengths{std::max<std::size_t>(folded->size() - edits_max, 1),
                            std::min(folded->size() + edits_max, kSpellingLettersMax)};
  fetcher.spellings(list, lengths);
  const std::uint32_t letters = letter_set(*folded);
  std::vector<Candidate> candidates;
  index.spellings.each(list, lengths, [&](const Spellings::Entry& entry, const Spellings::TextRange& text) {
    if (static_cast<std::size_t>(std::popcount(entry.letters ^ letters)) > 2 * edits_max) return;
    candidates.push_back({text, entry.counts.at(static_cast<std::size_t>(query.kind))});
  });
  std::vector<NearSpelling> near;
  std::string buffer;
  for (const Candidate& candidate : candidates) {
    const std::string_view text = index.spellings.text(list, candidate.text, buffer);
    const std::size_t edits = edits_between(list, {typed, *folded}, text, edits_max);
    if (edits == 0) return {};
    if (edits <= edits_max) near.push_back({edits, candidate.tracks, std::string(text)});
  }
  const auto end = near.begin() + static_cast<std::ptrdiff_t>(std::min(query.limit, near.size()));
  std::partial_sort(near.begin(), end, near.end(), [](const NearSpelling& a, const NearSpelling& b) {
    return std::tie(a.edits, b.tracks, a.text) < std::tie(b.edits, a.tracks, b.text);
  });
  std::vector<std::string> texts;
  for (auto it = near.begin(); it != end; ++it) texts.push_back(std::move(it->text));
  return texts;
}

}  // namespace

std::vector<std::string> near_words(std::string_view folded, const NearQuery& query, const Index& index,
                                    const Fetcher& fetcher) {
  return near_spellings(SpellingList::words, folded, query, index, fetcher);
}

std::vector<std::string> near_creators(std::string_view name, const NearQuery& query, const Index& index,
                                       const Fetcher& fetcher) {
  if (index.terms.find(facet_key(kCreatorFacet, text::fold_case(name)))) return {};
  return near_spellings(SpellingList::creators, name, query, index, fetcher);
}

}  // namespace tonearm::catalog
