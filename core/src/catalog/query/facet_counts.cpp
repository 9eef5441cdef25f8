#include "catalog/query/facet_counts.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>
#include <utility>

#include "catalog/index/facets.h"
#include "catalog/query/member_reader.h"

namespace tonearm::catalog {
namespace {

constexpr std::size_t kValuesMax = 50;
/// Up to this number, matches are listed and, in a remote file, their artists read one by one.
constexpr std::uint64_t kListedMax = 2048;
/// The cost of a cursor step, in tests of a bit.
constexpr std::size_t kStepCost = 8;
/// The cost of looking up a listed match, in bitmap words.
constexpr std::size_t kWordsPerMatch = 8;
/// The number of values of a remote file that are fetched together: their blocks stay resident until they are counted.
constexpr std::size_t kKeysPerRound = 128;
/// The number of values after which it is checked whether the rest can still be returned.
constexpr std::size_t kCountedPerCheck = 32;
/// The number of values that are always counted: none can be skipped before the answer is full.
constexpr std::size_t kFirstCounted = 2 * kCountedPerCheck;

/// Returns the search without the parameter of a facet.
SearchQuery without_facet(const SearchQuery& query, CountedFacet facet) {
  SearchQuery wider = query;
  switch (facet) {
    case CountedFacet::genre:
    case CountedFacet::mood:
    case CountedFacet::use:
    case CountedFacet::instrument:
    case CountedFacet::sfx:
      wider.tags[static_cast<std::size_t>(facet)].clear();
      break;
    case CountedFacet::category:
      wider.categories.clear();
      break;
    case CountedFacet::energy:
      wider.energies.clear();
      break;
    case CountedFacet::tone:
      wider.tones.clear();
      break;
    case CountedFacet::license:
      wider.licenses.clear();
      break;
    case CountedFacet::source:
      wider.sources.clear();
      break;
    case CountedFacet::creator:
      wider.creator.clear();
      break;
  }
  return wider;
}

/// Most tracks first, then by id.
bool ranks_before(const ValueCount& a, const ValueCount& b) {
  return std::tie(b.count, a.id) < std::tie(a.count, b.id);
}

/// Returns the number of tracks that a value needs to be returned, given the values counted so far.
std::uint64_t min_returned_count(const std::vector<ValueCount>& counted) {
  if (counted.size() < kValuesMax) return 0;
  std::vector<std::uint64_t> counts;
  counts.reserve(counted.size());
  for (const ValueCount& value : counted) counts.push_back(value.count);
  const auto last = counts.begin() + kValuesMax - 1;
  std::nth_element(counts.begin(), last, counts.end(), std::greater<>());
  return *last;
}

bool is_tag_facet(CountedFacet facet) { return static_cast<std::size_t>(facet) < kFacetCount; }

/// Whether a search finds only some of the tracks of its kind.
bool narrows(const SearchPlan& plan, const Filters& filters) {
  return !plan.clauses.empty() || !plan.filters.empty() || !plan.excluded.empty() || !filters.bpm_hundredths.empty() ||
         !filters.duration_ms.empty();
}

/// Returns the number of tracks of a range that have a term. REQUIRES: the range comes from `positions_of_kind`.
std::uint64_t count_in(const std::array<std::uint32_t, 3>& counts, const PositionRange& range, const Layout& layout) {
  if (range.begin < layout.music_end) return counts[0];
  return counts[1] + (range.end > layout.effects_end ? std::uint64_t{counts[2]} : 0);
}

}  // namespace

MatchSet::MatchSet(std::span<const Matches> tiers, const PositionRange& range, std::uint64_t* bits)
    : bits_{bits, range} {
  const std::uint32_t first = range.first_word();
  std::fill(bits + first, bits + range.last_word(), 0);
  for (const Matches& tier : tiers) {
    total_ += tier.total;
    for (const std::uint32_t position : tier.positions) set_bit(bits, position);
    if (tier.listed) continue;
    for (std::uint32_t i = first; i < range.last_word(); ++i) bits[i] |= tier.bits.word(i);
  }
  if (total_ > kListedMax) return;
  positions_.reserve(static_cast<std::size_t>(total_));
  bits_.each(0, [&](std::uint32_t position) {
    positions_.push_back(position);
    return true;
  });
}

std::uint64_t MatchSet::count(const PostingList& list, const Kernels& kernels) const {
  if (!list.dense) return count_listed(list.positions);
  const std::uint32_t first = bits_.range.first_word();
  const std::uint32_t words = bits_.range.last_word() - first;
  if (total_ <= kListedMax && positions_.size() * kWordsPerMatch < words) {
    return static_cast<std::uint64_t>(std::count_if(positions_.begin(), positions_.end(), [&](std::uint32_t position) {
      return has_bit(list.bits.data(), position);
    }));
  }
  return kernels.count_both(bits_.words + first, list.bits.data() + first, words);
}

std::uint64_t MatchSet::count_listed(std::span<const std::uint32_t> members) const {
  const auto begin = std::lower_bound(members.begin(), members.end(), bits_.range.begin);
  const auto end = std::lower_bound(begin, members.end(), bits_.range.end);
  const auto within =
      members.subspan(static_cast<std::size_t>(begin - members.begin()), static_cast<std::size_t>(end - begin));
  std::uint64_t count = 0;
  if (total_ <= kListedMax && positions_.size() * kStepCost < within.size()) {
    ListCursor cursor(within);
    for (const std::uint32_t position : positions_) count += cursor.find(position) ? 1U : 0U;
    return count;
  }
  for (const std::uint32_t position : within) {
    if (!bits_.range.contains(position)) throw_damaged("a posting list is not sorted");
    count += has_bit(bits_.words, position) ? 1U : 0U;
  }
  return count;
}

FacetCounts FacetCounter::count(const SearchQuery& query, std::span<const CountedFacet> facets,
                                SearchContext& context) const {
  if (dependencies_.fetcher.is_remote()) fetch(query, facets, context);
  FacetCounts counts;
  const auto count_facet = [&](CountedFacet facet, const MatchSet& matches) {
    counts.of.at(static_cast<std::size_t>(facet)) = count(facet, query.kind, matches);
  };
  std::vector<CountedFacet> narrowed;  // by their own parameters: each has its own set of matches
  std::optional<MatchSet> shared;
  for (const CountedFacet facet : facets) {
    if (without_facet(query, facet) != query) {
      narrowed.push_back(facet);
      continue;
    }
    if (!shared) shared = matches_of(query, context);
    count_facet(facet, *shared);
  }
  for (const CountedFacet facet : narrowed) count_facet(facet, matches_of(without_facet(query, facet), context));
  return counts;
}

/// For a remote file: fetches what the page and the facets read first, in the two rounds that the page needs anyway.
void FacetCounter::fetch(const SearchQuery& query, std::span<const CountedFacet> facets, SearchContext& context) const {
  const auto& [index, fetcher, kernels, search, values] = dependencies_;
  const SearchPlan plan = search.plan_page(query, context);
  FacetEntries entries;
  FacetLists lists;
  std::vector<CountedFacet> tag_facets;  // whose lists are read
  for (const CountedFacet facet : facets) {
    const SearchQuery wider = without_facet(query, facet);
    const bool reads_lists = narrows(search.plan_page(wider, context), wider.filters);
    if (is_tag_facet(facet)) {
      entries.tags.push_back(tag_numbers(values, query.kind, static_cast<Facet>(facet)));
      if (reads_lists) tag_facets.push_back(facet);
    }
    std::vector<std::string> keys;
    for (const LabeledValue& value : named_values(facet)) {
      keys.push_back(facet_key(kCountedFacetNames.at(static_cast<std::size_t>(facet)), value.id));
    }
    if (entries.keys.size() + keys.size() > kKeysPerRound) continue;
    entries.keys.insert(entries.keys.end(), keys.begin(), keys.end());
    if (reads_lists) lists.keys.insert(lists.keys.end(), keys.begin(), keys.end());
  }
  fetcher.entries(plan, entries);
  const std::uint64_t most = search.most_matches(plan, query.kind);
  if (most == 0) return fetcher.lists(plan, {});
  const PositionRange range = positions_of_kind(query, index.layout);
  for (const CountedFacet facet : tag_facets) {
    const std::vector<Candidate> tags = candidates(facet, query.kind, range);
    for (const Candidate& tag : std::span(tags).first(std::min(tags.size(), kFirstCounted))) {
      lists.locations.push_back(tag.location);
    }
  }
  // If more than two tracks may match for each block of the column, most of its blocks are read.
  const std::uint64_t column_blocks = sizeof(std::uint32_t) * std::uint64_t{range.size()} / kBlockBytes;
  const bool counts_creators = std::find(facets.begin(), facets.end(), CountedFacet::creator) != facets.end();
  if (counts_creators && most > 2 * column_blocks) lists.creators = range;
  fetcher.lists(plan, lists);
}

MatchSet FacetCounter::matches_of(const SearchQuery& query, SearchContext& context) const {
  const Layout& layout = dependencies_.index.layout;
  const std::vector<Matches> tiers = dependencies_.search.matches(query, context);
  return {tiers, positions_of_kind(query, layout), context.scratch.bitmap(words_for(layout.size))};
}

std::vector<ValueCount> FacetCounter::count(CountedFacet facet, Kind kind, const MatchSet& matches) const {
  if (matches.total() == 0) return {};
  if (facet == CountedFacet::creator) return count_creators(matches);
  return count_values(candidates(facet, kind, matches.range()), matches);
}

/// Returns the values that some track of the range has, those of most tracks first.
std::vector<FacetCounter::Candidate> FacetCounter::candidates(CountedFacet facet, Kind kind,
                                                              const PositionRange& range) const {
  std::vector<Candidate> values =
      is_tag_facet(facet) ? tags(static_cast<Facet>(facet), kind) : look_up_values(named_values(facet), facet);
  for (Candidate& value : values) value.max_count = count_in(value.location.counts, range, dependencies_.index.layout);
  std::erase_if(values, [](const Candidate& value) { return value.max_count == 0; });
  std::sort(values.begin(), values.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(b.max_count, a.id) < std::tie(a.max_count, b.id);
  });
  return values;
}

std::vector<FacetCounter::Candidate> FacetCounter::tags(Facet facet, Kind kind) const {
  const auto& [index, fetcher, kernels, search, values] = dependencies_;
  const TagNumbers numbers = tag_numbers(values, kind, facet);
  fetcher.tags(numbers);
  const std::vector<PostingLocation> locations = index.tags.locations(numbers);
  std::vector<Candidate> all;
  all.reserve(locations.size());
  for (const LabeledValue& tag : values.tags[static_cast<std::size_t>(kind)][static_cast<std::size_t>(facet)]) {
    all.push_back({tag.id, tag.label, locations[all.size()]});
  }
  return all;
}

std::vector<LabeledValue> FacetCounter::named_values(CountedFacet facet) const {
  const CatalogValues& values = dependencies_.values;
  std::vector<LabeledValue> all;
  if (facet == CountedFacet::category) {
    for (const Category& category : kCategories) all.push_back({std::string(category.id), std::string(category.label)});
  } else if (facet == CountedFacet::energy) {
    for (const std::string_view energy : kEnergyNames) all.push_back({std::string(energy), default_label(energy)});
  } else if (facet == CountedFacet::tone) {
    for (const std::string_view tone : kToneNames) all.push_back({std::string(tone), default_label(tone)});
  } else if (facet == CountedFacet::license) {
    for (const LicenseId id : values.licenses) {
      all.push_back({std::string(license(id).name_id), std::string(license(id).name)});
    }
  } else if (facet == CountedFacet::source) {
    for (const SourceCount& source : values.sources) all.push_back({source.id, source.id});
  }
  return all;
}

/// Omits values that no track has.
std::vector<FacetCounter::Candidate> FacetCounter::look_up_values(std::vector<LabeledValue> named,
                                                                  CountedFacet facet) const {
  const auto& [index, fetcher, kernels, search, values] = dependencies_;
  const std::string_view name = kCountedFacetNames.at(static_cast<std::size_t>(facet));
  std::vector<Candidate> found;
  for (std::size_t begin = 0; begin < named.size(); begin += kKeysPerRound) {
    const std::size_t end = std::min(named.size(), begin + kKeysPerRound);
    std::vector<std::string> keys;
    keys.reserve(end - begin);
    for (std::size_t i = begin; i < end; ++i) keys.push_back(facet_key(name, named[i].id));
    fetcher.terms(keys);
    for (std::size_t i = begin; i < end; ++i) {
      const auto location = index.terms.location(keys[i - begin]);
      if (location) found.push_back({std::move(named[i].id), std::move(named[i].label), *location});
    }
  }
  return found;
}

/// Fetches the posting lists of the first candidates, as long as they can still be returned. Returns their number.
std::size_t FacetCounter::fetch_lists(std::span<const Candidate> candidates, std::uint64_t least) const {
  std::vector<PostingLocation> locations;
  for (const Candidate& candidate : candidates) {
    if (candidate.max_count < least || (least == 0 && locations.size() == kFirstCounted)) break;
    locations.push_back(candidate.location);
  }
  return dependencies_.fetcher.facet_lists(locations);
}

/// REQUIRES: candidates are sorted by `max_count`, descending.
std::vector<ValueCount> FacetCounter::count_values(std::vector<Candidate> candidates, const MatchSet& matches) const {
  const auto& [index, fetcher, kernels, search, values] = dependencies_;
  std::vector<ValueCount> counted;
  std::size_t fetched = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Candidate& candidate = candidates[i];
    if (i % kCountedPerCheck == 0 || i == fetched) {
      const std::uint64_t least = min_returned_count(counted);
      if (candidate.max_count < least) break;
      if (i == fetched && !matches.covers_range()) fetched += fetch_lists(std::span(candidates).subspan(i), least);
    }
    const std::uint64_t count = matches.covers_range()
                                    ? candidate.max_count
                                    : matches.count(index.terms.facet_list(candidate.location), kernels);
    if (count > 0) counted.push_back({std::move(candidate.id), std::move(candidate.label), count});
  }
  std::sort(counted.begin(), counted.end(), ranks_before);
  counted.resize(std::min(counted.size(), kValuesMax));
  return counted;
}

/// Artists are numbered by name, so the number breaks ties between equal counts.
std::vector<ValueCount> FacetCounter::count_creators(const MatchSet& matches) const {
  const auto& [index, fetcher, kernels, search, values] = dependencies_;
  const CreatorIndex& creators = index.creators;
  const Array<std::uint32_t>& numbers = creators.creator_numbers();
  fetcher.creator_numbers(matches.range(), matches.positions());
  std::vector<std::uint32_t> counts(creators.size());
  matches.bits().each(0, [&](std::uint32_t position) {
    const std::uint32_t number = numbers[position];
    if (number == kNoCreator) return true;
    if (number >= counts.size()) throw_damaged("a track refers to a missing artist");
    ++counts[number];
    return true;
  });
  std::vector<std::uint32_t> found;
  for (std::uint32_t number = 0; number < counts.size(); ++number) {
    if (counts[number] > 0) found.push_back(number);
  }
  const std::size_t kept = std::min(found.size(), kValuesMax);
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(kept), found.end(),
                    [&](std::uint32_t a, std::uint32_t b) { return std::tie(counts[b], a) < std::tie(counts[a], b); });
  found.resize(kept);
  fetcher.creators(found);
  std::vector<ValueCount> counted;
  counted.reserve(kept);
  for (const std::uint32_t number : found) {
    const std::string name = creators.name(number);
    counted.push_back({name, name, counts[number]});
  }
  return counted;
}

}  // namespace tonearm::catalog
