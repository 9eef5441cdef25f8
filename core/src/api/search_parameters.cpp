#include "api/search_parameters.h"

namespace tonearm::api {
namespace {

/// A range of two decimals, which are kept in thousandths, in a unit of `thousandths`: a minimum is rounded up
/// and a maximum down, so that no value of that unit is let in or kept out wrongly. `unit_name`: of the parameters.
Result<Range> decimal_range(std::string_view unit_name, std::optional<std::uint64_t> min,
                            std::optional<std::uint64_t> max, std::uint64_t thousandths) {
  if (min && max && *min > *max) {
    const std::string name(unit_name);
    return Error{ErrorCode::invalid_parameter, "min_" + name + " must not be above max_" + name + '.'};
  }
  Range range;
  if (min) range.min = (*min + thousandths - 1) / thousandths;
  if (max) range.max = *max / thousandths;
  return range;
}

}  // namespace

SearchQuery to_search_query(const Values& values) { return arguments_of(table::kSearchParameters, values).query; }

Result<Filters> to_filters(const table::NeighborFilters& given) {
  using Credit = table::NeighborFilters::Credit;
  constexpr std::uint64_t kHundredth = 10;  // thousandths
  constexpr std::uint64_t kMillisecond = 1;
  Filters filters;
  const auto bpm = decimal_range("bpm", given.min_bpm, given.max_bpm, kHundredth);
  if (!bpm) return bpm.error();
  const auto duration = decimal_range("seconds", given.min_seconds, given.max_seconds, kMillisecond);
  if (!duration) return duration.error();
  filters.bpm_hundredths = *bpm;
  filters.duration_ms = *duration;
  filters.commercial = given.commercial;
  if (given.credit) {
    filters.credit = *given.credit == Credit::optional ? CreditFilter::optional : CreditFilter::requested;
  }
  filters.loops_only = given.loops_only;
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
  for (std::size_t i = 0; i < values.parameters().size(); ++i) {
    const table::Parameter& parameter = values.parameters()[i];
    if (!values.at(i) || parameter.applies == table::AppliesTo::both) continue;
    const Kind wanted = parameter.applies == table::AppliesTo::music ? Kind::music : Kind::sfx;
    if (wanted == kind) continue;
    return Error{ErrorCode::invalid_filter_for_kind,
                 std::string(parameter.name) +
                     " applies to kind=" + std::string(kKindNames[static_cast<std::size_t>(wanted)]) +
                     " only; this search is for kind=" + std::string(kKindNames[static_cast<std::size_t>(kind)]) + '.'};
  }
  return std::nullopt;
}

}  // namespace tonearm::api
