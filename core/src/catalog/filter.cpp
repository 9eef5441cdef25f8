#include "catalog/filter.h"

#include <algorithm>

#include "catalog/facets.h"
#include "text/unicode.h"

namespace tonearm::catalog {
namespace {

// The categories that values name by a category's id, its group's id or its group's code (taxonomy.md).
std::vector<Category> selected_categories(const std::vector<std::string>& values) {
  std::vector<Category> selected;
  for (const Category& category : kCategories) {
    const auto names_it = [&](const std::string& value) {
      return value == category.id || value == category.top_id || value == category.group_code;
    };
    if (std::any_of(values.begin(), values.end(), names_it)) selected.push_back(category);
  }
  return selected;
}

bool selects_speech(const std::vector<std::string>& values) {
  const std::vector<Category> selected = selected_categories(values);
  return std::any_of(selected.begin(), selected.end(),
                     [](const Category& category) { return category.top_id == kSpeechGroup; });
}

// C4.12, catalog-api, Search rule 3: only a search for effects leaves speech out.
PositionRange range_of_kind(const SearchQuery& query, const Layout& layout) {
  if (query.kind == Kind::music) return {0, layout.music_end};
  return {layout.music_end, selects_speech(query.categories) ? layout.speech_end : layout.effects_end};
}

/// Collects conditions, one filter after the other.
class Planner {
 public:
  /// A track has any of the values of `facet` that `name(value)` names; no values filter nothing.
  template <class Values, class Name>
  void any_of(std::string_view facet, const Values& values, const Name& name) {
    if (values.empty()) return;
    conditions_.emplace_back();
    for (const auto& value : values) add(facet, name(value));
  }

  void one(std::string_view facet, std::string_view value) {
    conditions_.emplace_back();
    add(facet, value);
  }

  /// The license is one that `keeps` gives true for.
  template <class Keeps>
  void licenses_where(const Keeps& keeps) {
    conditions_.emplace_back();
    for (const License& license : kLicenses) {
      if (keeps(license)) add(kLicenseFacet, license.name_id);
    }
  }

  std::vector<AnyOfKeys> take() { return std::move(conditions_); }

 private:
  /// A value that is named twice counts once.
  void add(std::string_view facet, std::string_view value) {
    std::string key = facet_key(facet, value);
    AnyOfKeys& keys = conditions_.back();
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(std::move(key));
  }

  std::vector<AnyOfKeys> conditions_;
};

void plan_terms(const SearchQuery& query, Planner& planner) {
  planner.any_of(kLicenseFacet, query.licenses, [](LicenseId id) { return license(id).name_id; });
  if (query.filters.commercial) {
    planner.licenses_where([&](const License& l) { return l.commercial == *query.filters.commercial; });
  }
  if (query.share_alike) {
    planner.licenses_where([&](const License& l) { return l.share_alike == *query.share_alike; });
  }
  // C4.10
  if (query.filters.credit == CreditFilter::optional) {
    planner.one(kAttributionFacet, to_string(Attribution::optional));
  } else if (query.filters.credit == CreditFilter::requested) {
    planner.any_of(kAttributionFacet, std::array{Attribution::requested, Attribution::required},
                   [](Attribution attribution) { return to_string(attribution); });
  }
}

}  // namespace

bool is_within(const Range& range, std::uint64_t value) {
  return (!range.min || value >= *range.min) && (!range.max || value <= *range.max);
}

std::vector<AnyOfKeys> filter_keys(const SearchQuery& query) {
  const auto nth = [](const auto& names) {
    return [&names](auto value) { return names[static_cast<std::size_t>(value)]; };
  };
  const auto itself = [](const std::string& value) -> std::string_view { return value; };
  Planner planner;
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    planner.any_of(kFacetNames[facet], query.tags[facet], itself);
  }
  planner.any_of(kLengthFacet, query.lengths, nth(kLengthNames));
  planner.any_of(kEnergyFacet, query.energies, nth(kEnergyNames));
  planner.any_of(kToneFacet, query.tones, nth(kToneNames));
  if (!query.categories.empty()) {
    const auto categories = selected_categories(query.categories);
    // A category that there is not matches nothing (C2.6).
    if (categories.empty()) planner.one(kCategoryFacet, {});
    planner.any_of(kCategoryFacet, categories, [](const Category& category) { return category.id; });
  }
  if (query.filters.loops_only) planner.one(kLoopFacet, kYes);
  if (query.good_quality) planner.one(kQualityFacet, kYes);
  plan_terms(query, planner);
  // C4.11
  if (!query.creator.empty()) planner.one(kCreatorFacet, text::fold_case(query.creator));
  planner.any_of(kSourceFacet, query.sources, [](const std::string& source) { return text::fold_case(source); });
  return planner.take();
}

FilterPlan plan_filters(const SearchQuery& query, const Layout& layout, const TermIndex& index) {
  FilterPlan plan{range_of_kind(query, layout), {}};
  for (const AnyOfKeys& keys : filter_keys(query)) {
    AnyOf& condition = plan.conditions.emplace_back();
    for (const std::string& key : keys) {
      if (const auto posting = index.posting(key)) condition.postings.push_back(*posting);
    }
  }
  return plan;
}

bool in_ranges(const Filters& filters, const Columns& columns, std::uint32_t position) {
  if (!filters.bpm_hundredths.empty()) {
    const std::uint32_t bpm = columns.bpm_hundredths[position];
    if (bpm == 0 || !is_within(filters.bpm_hundredths, bpm)) return false;
  }
  return filters.duration_ms.empty() || is_within(filters.duration_ms, columns.duration_ms[position]);
}

bool asks_for_flags(const Filters& filters) {
  return filters.commercial || filters.credit != CreditFilter::any || filters.loops_only;
}

bool passes(const Filters& filters, const Columns& columns, std::uint32_t position) {
  if (!asks_for_flags(filters)) return in_ranges(filters, columns, position);
  const Flags flags = unpack(columns.flags[position]);
  if (filters.commercial && license(flags.license).commercial != *filters.commercial) return false;
  if (filters.credit != CreditFilter::any &&
      (flags.attribution == Attribution::optional) != (filters.credit == CreditFilter::optional)) {
    return false;
  }
  if (filters.loops_only && !flags.loop) return false;
  return in_ranges(filters, columns, position);
}

}  // namespace tonearm::catalog
