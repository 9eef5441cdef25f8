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
DocSet tracks_of_kind(const SearchQuery& query, const Layout& layout) {
  DocSet set(layout.size);
  if (query.kind == Kind::music) {
    set.add_range(0, layout.music_end);
  } else {
    set.add_range(layout.music_end, selects_speech(query.categories) ? layout.speech_end : layout.effects_end);
  }
  return set;
}

/// Narrows a set by one filter after the other.
class Narrowing {
 public:
  Narrowing(DocSet set, Index& index) : set_(std::move(set)), index_(index) {}

  /// Any of what `add` adds: calls `add(value, union)` for each value; no values filter nothing.
  template <class Values, class Add>
  void any_of(const Values& values, const Add& add) {
    if (values.empty()) return;
    DocSet any(set_.size());
    for (const auto& value : values) add(value, any);
    set_.keep(any);
  }

  /// Tracks whose license, or attribution, is one that `keeps` gives true for.
  template <class Keeps>
  void licenses_where(const Keeps& keeps) {
    DocSet any(set_.size());
    for (const License& license : kLicenses) {
      if (keeps(license)) index_.add_facet(kLicenseFacet, license.name_id, any);
    }
    set_.keep(any);
  }

  void categories(const std::vector<Category>& selected) {
    DocSet any(set_.size());
    for (const Category& category : selected) index_.add_facet(kCategoryFacet, category.id, any);
    set_.keep(any);
  }

  void facet(std::string_view facet, std::string_view value) {
    DocSet has(set_.size());
    index_.add_facet(facet, value, has);
    set_.keep(has);
  }

  DocSet take() { return std::move(set_); }

 private:
  DocSet set_;
  Index& index_;
};

void narrow_by_terms(const SearchQuery& query, Index& index, Narrowing& narrowing) {
  narrowing.any_of(query.licenses,
                   [&](LicenseId id, DocSet& any) { index.add_facet(kLicenseFacet, license(id).name_id, any); });
  if (query.filters.commercial) {
    narrowing.licenses_where([&](const License& l) { return l.commercial == *query.filters.commercial; });
  }
  if (query.share_alike) {
    narrowing.licenses_where([&](const License& l) { return l.share_alike == *query.share_alike; });
  }
  // C4.10
  if (query.filters.credit == CreditFilter::optional) {
    narrowing.facet(kAttributionFacet, to_string(Attribution::optional));
  } else if (query.filters.credit == CreditFilter::requested) {
    narrowing.any_of(std::array{Attribution::requested, Attribution::required},
                     [&](Attribution a, DocSet& any) { index.add_facet(kAttributionFacet, to_string(a), any); });
  }
}

void narrow_by_origin(const SearchQuery& query, Index& index, Narrowing& narrowing) {
  // C4.11
  if (!query.creator.empty()) narrowing.facet(kCreatorFacet, text::fold_case(query.creator));
  narrowing.any_of(query.sources, [&](const std::string& source, DocSet& any) {
    index.add_facet(kSourceFacet, text::fold_case(source), any);
  });
}

bool is_within(const Range& range, std::uint64_t value) {
  return (!range.min || value >= *range.min) && (!range.max || value <= *range.max);
}

}  // namespace

DocSet candidates(const SearchQuery& query, const Layout& layout, Index& index) {
  Narrowing narrowing(tracks_of_kind(query, layout), index);
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) {
    narrowing.any_of(query.tags[facet],
                     [&](const std::string& tag, DocSet& any) { index.add_facet(kFacetNames[facet], tag, any); });
  }
  narrowing.any_of(query.lengths, [&](LengthBucket bucket, DocSet& any) {
    index.add_facet(kLengthFacet, kLengthNames[static_cast<std::size_t>(bucket)], any);
  });
  narrowing.any_of(query.energies, [&](Energy energy, DocSet& any) {
    index.add_facet(kEnergyFacet, kEnergyNames[static_cast<std::size_t>(energy)], any);
  });
  narrowing.any_of(query.tones, [&](Tone tone, DocSet& any) {
    index.add_facet(kToneFacet, kToneNames[static_cast<std::size_t>(tone)], any);
  });
  if (!query.categories.empty()) narrowing.categories(selected_categories(query.categories));
  if (query.filters.loops_only) narrowing.facet(kLoopFacet, kYes);
  if (query.good_quality) narrowing.facet(kQualityFacet, kYes);
  narrow_by_terms(query, index, narrowing);
  narrow_by_origin(query, index, narrowing);
  return narrowing.take();
}

bool in_ranges(const Filters& filters, const Columns& columns, std::uint32_t position) {
  if (!filters.bpm_hundredths.empty()) {
    const std::uint32_t bpm = columns.bpm_hundredths[position];
    if (bpm == 0 || !is_within(filters.bpm_hundredths, bpm)) return false;
  }
  return is_within(filters.duration_ms, columns.duration_ms[position]);
}

bool passes(const Filters& filters, const Columns& columns, std::uint32_t position) {
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
