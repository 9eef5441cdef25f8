#include "api/search_parameters.h"

namespace tonearm::api {
namespace {

template <class Enum>
std::vector<Enum> chosen(const Values& values, std::string_view name) {
  std::vector<Enum> list;
  if (const Value* value = values.find(name)) {
    for (const std::size_t index : value->chosen) list.push_back(static_cast<Enum>(index));
  }
  return list;
}

std::optional<std::size_t> choice(const Values& values, std::string_view name) {
  const Value* value = values.find(name);
  if (value == nullptr) return std::nullopt;
  return value->chosen.front();
}

std::vector<std::string> items(const Values& values, std::string_view name) {
  const Value* value = values.find(name);
  return value == nullptr ? std::vector<std::string>{} : value->items;
}

std::string text(const Values& values, std::string_view name) {
  const Value* value = values.find(name);
  return value == nullptr ? std::string{} : value->text;
}

/// A range of two decimals, which are kept in thousandths, in a unit of `thousandths`: a minimum is rounded up
/// and a maximum down, so that no value of that unit is let in or kept out wrongly.
Result<Range> decimal_range(const Values& values, std::string_view min, std::string_view max,
                            std::uint64_t thousandths) {
  const Value* low = values.find(min);
  const Value* high = values.find(max);
  if (low != nullptr && high != nullptr && low->number > high->number) {
    return Error{ErrorCode::invalid_parameter, std::string(min) + " must not be above " + std::string(max) + '.'};
  }
  Range range;
  if (low != nullptr) range.min = (low->number + thousandths - 1) / thousandths;
  if (high != nullptr) range.max = high->number / thousandths;
  return range;
}

}  // namespace

SearchQuery to_search_query(const Values& values) {
  SearchQuery query;
  query.q = text(values, "q");
  if (const auto kind = choice(values, "kind")) query.kind = static_cast<Kind>(*kind);
  if (const Value* tempo = values.find("tempo")) {
    query.filters.bpm_hundredths = {tempo->range_min * 100, tempo->range_max * 100};
  }
  query.filters.commercial = values.boolean("commercial");
  if (const auto credit = choice(values, "credit")) query.filters.credit = static_cast<CreditFilter>(*credit);
  query.filters.loops_only = values.boolean("loops").value_or(false);
  query.lengths = chosen<LengthBucket>(values, "length");
  query.energies = chosen<Energy>(values, "energy");
  query.tones = chosen<Tone>(values, "tone");
  query.good_quality = choice(values, "quality").value_or(0) == 1;
  for (std::size_t facet = 0; facet < kFacetCount; ++facet) query.tags[facet] = items(values, kFacetNames[facet]);
  query.categories = items(values, "category");
  query.licenses = chosen<LicenseId>(values, "license");
  query.share_alike = values.boolean("share_alike");
  query.creator = text(values, "creator");
  query.sources = items(values, "source");
  if (const auto sort = choice(values, "sort")) query.sort = static_cast<Sort>(*sort);
  query.seed = text(values, "seed");
  query.limit = values.number_or("limit", table::kPageSizeDefault);
  query.offset = values.number_or("cursor", 0);
  return query;
}

Result<Filters> to_similar_filters(const Values& values) {
  constexpr std::uint64_t kHundredth = 10;  // thousandths
  constexpr std::uint64_t kMillisecond = 1;
  Filters filters;
  const auto bpm = decimal_range(values, "min_bpm", "max_bpm", kHundredth);
  if (!bpm) return bpm.error();
  const auto duration = decimal_range(values, "min_seconds", "max_seconds", kMillisecond);
  if (!duration) return duration.error();
  filters.bpm_hundredths = *bpm;
  filters.duration_ms = *duration;
  filters.commercial = values.boolean("commercial");
  if (const auto credit = choice(values, "credit")) {
    filters.credit = *credit == 0 ? CreditFilter::optional : CreditFilter::requested;
  }
  filters.loops_only = values.boolean("loops_only").value_or(false);
  return filters;
}

Result<MergeQuery> to_merge_query(const Values& values) {
  const auto filters = to_similar_filters(values);
  if (!filters) return filters.error();
  MergeQuery query;
  query.seeds = items(values, "seeds");
  query.filters = *filters;
  query.limit = values.number_or("limit", table::kPageSizeDefault);
  query.offset = values.number_or("cursor", 0);
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
