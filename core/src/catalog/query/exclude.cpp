#include "catalog/query/exclude.h"

#include <algorithm>

#include "catalog/index/facets.h"
#include "catalog/query/member_reader.h"
#include "text/unicode.h"

namespace tonearm::catalog {
namespace {

bool contain_all(std::vector<MemberReader>& readers, std::uint32_t position) {
  return std::all_of(readers.begin(), readers.end(), [&](MemberReader& reader) { return reader.contains(position); });
}

bool are_dense(const ExcludedTerms& set) {
  return std::all_of(set.begin(), set.end(), [](const PostingList& list) { return list.dense; });
}

}  // namespace

std::vector<TermSet> excluded_term_sets(const std::vector<std::string>& texts, Tokenizer& tokenizer) {
  std::vector<TermSet> excluded;
  for (const std::string& text : texts) {
    std::vector<std::string> stems;
    tokenizer.each_stem(text, [&](std::string_view stem) { stems.emplace_back(stem); });
    if (!stems.empty()) excluded.push_back(as_term_set(std::move(stems)));
  }
  return excluded;
}

std::vector<ExcludedKeys> keys_of_terms(std::span<const TermSet> term_sets) {
  std::vector<ExcludedKeys> excluded;
  for (const TermSet& stems : term_sets) {
    ExcludedKeys& keys = excluded.emplace_back();
    for (const std::string& stem : stems) keys.push_back(text_key(stem));
  }
  return excluded;
}

std::vector<ExcludedKeys> excluded_keys(std::span<const TermSet> term_sets, const SearchQuery& query) {
  std::vector<ExcludedKeys> excluded = keys_of_terms(term_sets);
  for (const std::string& source : query.excluded_sources) {
    excluded.push_back({facet_key(kSourceFacet, text::fold_case(source))});
  }
  for (const std::string& tag : query.excluded_tags) {
    for (const std::string_view facet : kFacetNames) excluded.push_back({facet_key(facet, tag)});
  }
  return excluded;
}

std::vector<ExcludedTerms> read_excluded(std::span<const ExcludedKeys> sets, const TermIndex& terms) {
  std::vector<ExcludedTerms> excluded;
  for (const ExcludedKeys& keys : sets) {
    ExcludedTerms set;
    for (const std::string& key : keys) {
      const auto list = terms.posting_list(key);
      if (!list) break;
      set.push_back(*list);
    }
    if (set.size() == keys.size()) excluded.push_back(std::move(set));
  }
  return excluded;
}

void remove_excluded(std::vector<std::uint32_t>& positions, std::span<const ExcludedTerms> sets) {
  for (const ExcludedTerms& set : sets) {
    std::vector<MemberReader> readers(set.begin(), set.end());
    const auto is_removed = [&](std::uint32_t position) { return contain_all(readers, position); };
    std::erase_if(positions, is_removed);
  }
}

void remove_excluded(std::uint64_t* bits, const PositionRange& range, std::span<const ExcludedTerms> sets) {
  for (const ExcludedTerms& set : sets) {
    if (are_dense(set)) {
      const std::uint64_t* first = set.front().bits.data();
      const auto others = std::span(set).subspan(1);
      for (std::uint32_t i = range.first_word(); i < range.last_word(); ++i) {
        std::uint64_t held = first[i];
        for (const PostingList& list : others) held &= list.bits[i];
        bits[i] &= ~held;
      }
      continue;
    }
    const auto rarest =
        std::min_element(set.begin(), set.end(), [](const auto& a, const auto& b) { return a.count < b.count; });
    std::vector<MemberReader> readers(set.begin(), set.end());
    for (const std::uint32_t position : rarest->positions) {
      if (!range.contains(position) || !contain_all(readers, position)) continue;
      bits[position / kWordBits] &= ~(std::uint64_t{1} << (position % kWordBits));
    }
  }
}

}  // namespace tonearm::catalog
