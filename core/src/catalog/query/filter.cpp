#include "catalog/query/filter.h"

#include <algorithm>

#include "catalog/index/facets.h"
#include "text/unicode.h"
#include "text/unique.h"

namespace tonearm::catalog {
namespace {

// Returns the categories that values select by a category's id, its group's id or its group's code (TAXONOMY-2).
std::vector<Category> selected_categories(const std::vector<std::string>& values) {
  std::vector<Category> selected;
  for (const Category& category : kCategories) {
    const auto selects_category = [&](const std::string& value) {
      return value == category.id || value == category.top_id || value == category.group_code;
    };
    if (std::any_of(values.begin(), values.end(), selects_category)) selected.push_back(category);
  }
  return selected;
}

bool selects_speech(const std::vector<std::string>& values) {
  const std::vector<Category> selected = selected_categories(values);
  return std::any_of(selected.begin(), selected.end(),
                     [](const Category& category) { return category.top_id == kSpeechGroup; });
}

/// Collects the keys of filters.
class FilterKeys {
 public:
  /// Requires any of the values of `facet`, named by `name(value)`. No values filter nothing.
  template <class Values, class Name>
  void any_of(std::string_view facet, const Values& values, const Name& name) {
    if (values.empty()) return;
    conditions_.emplace_back();
    for (const auto& value : values) add(facet, name(value));
    text::keep_first_of_equals(conditions_.back());  // repeated values count once
  }

  void require(std::string_view facet, std::string_view value) {
    conditions_.emplace_back();
    add(facet, value);
  }

  /// Requires a license for which `keeps` returns true.
  template <class Keeps>
  void licenses_where(const Keeps& keeps) {
    conditions_.emplace_back();
    for (const License& license : kLicenses) {
      if (keeps(license)) add(kLicenseFacet, license.name_id);
    }
  }

  std::vector<AnyOfKeys> take() { return std::move(conditions_); }

 private:
  void add(std::string_view facet, std::string_view value) { conditions_.back().push_back(facet_key(facet, value)); }

  std::vector<AnyOfKeys> conditions_;
};

void add_license_filters(const SearchQuery& query, FilterKeys& keys) {
  keys.any_of(kLicenseFacet, query.licenses, [](LicenseId id) { return license(id).name_id; });
  if (query.filters.commercial) {
    keys.licenses_where([&](const License& l) { return l.commercial == *query.filters.commercial; });
  }
  if (query.share_alike) {
    keys.licenses_where([&](const License& l) { return l.share_alike == *query.share_alike; });
  }
  // FILTER-8
  if (query.filters.credit == CreditFilter::optional) {
    keys.require(kAttributionFacet, to_string(Attribution::optional));
  } else if (query.filters.credit == CreditFilter::requested) {
    keys.any_of(kAttributionFacet, std::array{Attribution::requested, Attribution::required},
                [](Attribution attribution) { return to_string(attribution); });
  }
}

/// Whether a track is in the ranges of tempo and duration.
bool in_ranges(const Filters& filters, const Columns& columns, std::uint32_t position) {
  const Range& bpm = filters.bpm_hundredths;
  if (!bpm.empty() && !tempo_bounds(bpm).contains(columns.bpm_hundredths[position])) return false;
  return filters.duration_ms.empty() || filters.duration_ms.contains(columns.duration_ms[position]);
}

}  // namespace

std::vector<AnyOfKeys> filter_keys(const SearchQuery& query) {
  const auto name_from = [](const auto& names) {
    return [&names](auto value) { return names[static_cast<std::size_t>(value)]; };
  };
  const auto identity = [](const std::string& value) -> std::string_view { return value; };
  FilterKeys keys;
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    keys.any_of(kFacetNames[facet], query.tags[facet], identity);
  }
  keys.any_of(kLengthFacet, query.lengths, name_from(kLengthNames));
  keys.any_of(kEnergyFacet, query.energies, name_from(kEnergyNames));
  keys.any_of(kToneFacet, query.tones, name_from(kToneNames));
  if (!query.categories.empty()) {
    const auto categories = selected_categories(query.categories);
    // An unknown category matches nothing (QUERY-6).
    if (categories.empty()) keys.require(kCategoryFacet, {});
    keys.any_of(kCategoryFacet, categories, [](const Category& category) { return category.id; });
  }
  if (query.filters.loops_only) keys.require(kLoopFacet, kYes);
  if (query.good_quality) keys.require(kQualityFacet, kYes);
  if (query.playable_only) keys.require(kPlayableFacet, kYes);
  if (query.filters.vocals) keys.require(kVocalsFacet, name_from(kVocalsNames)(*query.filters.vocals));
  add_license_filters(query, keys);
  // FILTER-9
  if (!query.creator.empty()) keys.require(kCreatorFacet, text::fold_case(query.creator));
  keys.any_of(kSourceFacet, query.sources, [](const std::string& source) { return text::fold_case(source); });
  return keys.take();
}

std::vector<AnyOf> read_filters(std::span<const AnyOfKeys> filters, const TermIndex& terms) {
  std::vector<AnyOf> conditions;
  for (const AnyOfKeys& keys : filters) {
    AnyOf& condition = conditions.emplace_back();
    for (const std::string& key : keys) {
      if (const auto list = terms.posting_list(key)) condition.lists.push_back(*list);
    }
  }
  return conditions;
}

// SEARCH-7: only searches for effects omit speech.
PositionRange positions_of_kind(const SearchQuery& query, const Layout& layout) {
  if (query.kind == Kind::music) return {0, layout.music_end};
  return {layout.music_end, selects_speech(query.categories) ? layout.speech_end : layout.effects_end};
}

Bounds bounds_of(const Range& range) { return {range.min.value_or(0), range.max.value_or(Bounds{}.most)}; }

Bounds tempo_bounds(const Range& bpm_hundredths) {
  const Bounds bounds = bounds_of(bpm_hundredths);
  return {std::max<std::uint64_t>(bounds.least, 1), bounds.most};
}

bool needs_flags(const Filters& filters) {
  return filters.commercial || filters.credit != CreditFilter::any || filters.loops_only || filters.vocals;
}

bool passes(const Filters& filters, const Columns& columns, std::uint32_t position) {
  if (!needs_flags(filters)) return in_ranges(filters, columns, position);
  const Flags flags = decode_flags(columns.flags[position]);
  if (filters.commercial && license(flags.license).commercial != *filters.commercial) return false;
  if (filters.credit != CreditFilter::any &&
      (flags.attribution == Attribution::optional) != (filters.credit == CreditFilter::optional)) {
    return false;
  }
  if (filters.loops_only && !flags.loop) return false;
  if (filters.vocals && flags.vocals != filters.vocals) return false;
  return in_ranges(filters, columns, position);
}

}  // namespace tonearm::catalog
