#include "conditions.h"

#include <algorithm>

namespace tonearm::bench {
namespace {

constexpr std::int64_t kGoodQuality = 500;  // FILTER-7, thousandths

template <class Values>
std::vector<std::string> numbers_of(const Values& values) {
  std::vector<std::string> numbers;
  numbers.reserve(values.size());
  for (const auto value : values) numbers.push_back(std::to_string(static_cast<int>(value)));
  return numbers;
}

}  // namespace

Conditions::Conditions(const SearchQuery& search, const TagCondition& tag_condition) {
  add_kind_and_categories(search);
  const Range& tempo = search.filters.bpm_hundredths;
  if (!tempo.empty()) {
    add("t.bpm BETWEEN " + bind(std::to_string(*tempo.min)) + " AND " + bind(std::to_string(*tempo.max)));
  }
  if (!search.lengths.empty()) add("t.length IN (" + bind_list(numbers_of(search.lengths)) + ")");
  if (!search.energies.empty()) add("t.energy IN (" + bind_list(numbers_of(search.energies)) + ")");
  if (!search.tones.empty()) add("t.tone IN (" + bind_list(numbers_of(search.tones)) + ")");
  if (search.filters.loops_only) add_equal("loop", 1);
  if (search.good_quality) add("t.quality >= " + bind(std::to_string(kGoodQuality)));
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    if (!search.tags[facet].empty()) add(tag_condition(*this, static_cast<Facet>(facet), search.tags[facet]));
  }
  add_license_terms(search);
  if (!search.creator.empty()) add("t.creator = " + bind(search.creator));
  if (!search.sources.empty()) add("t.source IN (" + bind_list(search.sources) + ")");
}

std::string Conditions::bind(std::string value) {
  values_.push_back(std::move(value));
  return '$' + std::to_string(values_.size());
}

std::string Conditions::bind_list(const std::vector<std::string>& values) {
  std::string list;
  for (const auto& value : values) list += (list.empty() ? "" : ", ") + bind(value);
  return list;
}

void Conditions::add(const std::string& condition) { text_ += (text_.empty() ? "" : " AND ") + condition; }

void Conditions::add_equal(const std::string& column, std::int64_t value) {
  add("t." + column + " = " + bind(std::to_string(value)));
}

// SEARCH-7. No music is speech, so both kinds can use the same index.
void Conditions::add_kind_and_categories(const SearchQuery& search) {
  add_equal("kind", static_cast<std::int64_t>(search.kind));
  if (search.categories.empty()) {
    add_equal("speech", 0);
    return;
  }
  std::vector<std::string> ids;
  for (const auto& wanted : search.categories) {
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
      const Category& category = kCategories[i];
      if (wanted == category.id || wanted == category.top_id || wanted == category.group_code) {
        ids.push_back(std::to_string(i));
      }
    }
  }
  add("t.category IN (" + bind_list(ids) + ")");
}

void Conditions::add_license_terms(const SearchQuery& search) {
  if (!search.licenses.empty()) add("t.license IN (" + bind_list(numbers_of(search.licenses)) + ")");
  if (search.filters.commercial) add_equal("commercial", *search.filters.commercial ? 1 : 0);
  if (search.share_alike) add_equal("share_alike", *search.share_alike ? 1 : 0);
  // FILTER-8
  if (search.filters.credit == CreditFilter::optional) add_equal("credit", 0);
  if (search.filters.credit == CreditFilter::requested) add_equal("credit", 1);
}

}  // namespace tonearm::bench
