#include "api/requests/search_parameters.h"

#include <algorithm>

namespace tonearm::api {
namespace {

// ---- Error messages

Error inverted_range(const std::string& name) {
  const std::string min = "min_" + name;
  return {ErrorCode::invalid_parameter, min + " must not be above max_" + name + '.', 0, min};
}

std::string kind_name(Kind kind) { return std::string(kKindNames[static_cast<std::size_t>(kind)]); }

/// `parameter`: as in the message; a value may follow the name.
Error wrong_kind(std::string_view parameter, Kind required, Kind requested) {
  return {ErrorCode::invalid_filter_for_kind,
          std::string(parameter) + " applies to kind=" + kind_name(required) +
              " only; this search is for kind=" + kind_name(requested) + '.',
          0, std::string(parameter.substr(0, parameter.find('=')))};
}

// ---- Ranges

/// Converts a range in thousandths to a unit of `thousandths`. Rounds the minimum up and the maximum down, so that the
/// range contains exactly the values of that unit that lie in the given one. `unit_name`: the suffix of the parameters.
Result<Range> decimal_range(std::string_view unit_name, std::optional<std::uint64_t> min,
                            std::optional<std::uint64_t> max, std::uint64_t thousandths) {
  if (min && max && *min > *max) return inverted_range(std::string(unit_name));
  Range range;
  if (min) range.min = (*min + thousandths - 1) / thousandths;
  if (max) range.max = *max / thousandths;
  return range;
}

void narrow(Range& range, const Range& by) {
  if (by.min) range.min = std::max(range.min.value_or(0), *by.min);
  if (by.max) range.max = range.max ? std::min(*range.max, *by.max) : *by.max;
}

/// Narrows both ranges of the filters. Errors: a minimum above its maximum.
std::optional<Error> narrow(Filters& filters, const table::Bounds& by) {
  constexpr std::uint64_t kHundredth = 10;  // thousandths
  constexpr std::uint64_t kMillisecond = 1;
  const auto bpm = decimal_range("bpm", by.min_bpm, by.max_bpm, kHundredth);
  if (!bpm) return bpm.error();
  const auto duration = decimal_range("seconds", by.min_seconds, by.max_seconds, kMillisecond);
  if (!duration) return duration.error();
  narrow(filters.bpm_hundredths, *bpm);
  narrow(filters.duration_ms, *duration);
  return std::nullopt;
}

/// `display_name`: the parameter or facet in the message.
std::optional<Error> check_applies(const table::Parameter& parameter, std::string_view display_name, Kind kind) {
  if (parameter.applies == table::AppliesTo::both) return std::nullopt;
  const Kind required = parameter.applies == table::AppliesTo::music ? Kind::music : Kind::sfx;
  if (required == kind) return std::nullopt;
  return wrong_kind(display_name, required, kind);
}

}  // namespace

Result<SearchQuery> to_search_query(const table::SearchArguments& given) {
  SearchQuery query = given.query;
  if (auto error = narrow(query.filters, given.bounds)) return *std::move(error);
  return query;
}

Result<Filters> to_filters(const table::NeighborFilters& given) {
  using Credit = table::NeighborFilters::Credit;
  Filters filters;
  if (auto error = narrow(filters, given.bounds)) return *std::move(error);
  filters.commercial = given.commercial;
  if (given.credit) {
    filters.credit = *given.credit == Credit::optional ? CreditFilter::optional : CreditFilter::requested;
  }
  filters.loops_only = given.loops_only;
  filters.vocals = given.vocals;
  return filters;
}

Result<MergeQuery> to_merge_query(const table::CollectionSimilarArguments& given) {
  const auto filters = to_filters(given.filters);
  if (!filters) return filters.error();
  MergeQuery query;
  query.seeds = given.seeds;
  query.filters = *filters;
  query.limit = given.limit;
  query.offset = given.cursor;
  return query;
}

std::optional<Error> check_kind(const Values& values, Kind kind) {
  const Value* facets = values.find("facets");
  for (std::size_t i = 0; i < values.parameters().size(); ++i) {
    const table::Parameter& parameter = values.parameters()[i];
    if (values.at(i)) {
      if (auto error = check_applies(parameter, parameter.name, kind)) return error;
    }
    // SEARCH-11: a facet applies to the same kinds as the parameter of its name.
    if (facets == nullptr) continue;
    const auto facet = std::find(kCountedFacetNames.begin(), kCountedFacetNames.end(), parameter.name);
    if (facet == kCountedFacetNames.end()) continue;
    const auto index = static_cast<std::size_t>(facet - kCountedFacetNames.begin());
    if (std::find(facets->chosen.begin(), facets->chosen.end(), index) == facets->chosen.end()) continue;
    if (auto error = check_applies(parameter, "facets=" + std::string(parameter.name), kind)) return error;
  }
  return std::nullopt;
}

}  // namespace tonearm::api
