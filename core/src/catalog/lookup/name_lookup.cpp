#include "catalog/lookup/name_lookup.h"

#include <algorithm>

namespace tonearm::catalog {
namespace {

/// The number of hashes that are looked up together: each needs one or two blocks.
constexpr std::size_t kHashesPerRound = 60;

}  // namespace

std::vector<Namesakes> NameLookup::look_up_titles(std::span<const TitleQuery> titles, Tokenizer& tokenizer) const {
  std::vector<HashQuery> queries;
  for (const TitleQuery& title : titles) {
    std::vector<std::string> stems;
    tokenizer.each_stem(title.text, [&](std::string_view stem) { stems.emplace_back(stem); });
    queries.push_back({phrase_hash(PhraseKind::whole, stems), title.duration_ms});
  }
  return look_up(queries);
}

std::vector<Namesakes> NameLookup::look_up_addresses(std::span<const AddressQuery> addresses) const {
  std::vector<HashQuery> queries;
  for (const AddressQuery& address : addresses)
    queries.push_back({address_hash(address.normalized_url), address.duration_ms});
  return look_up(queries);
}

std::vector<Namesakes> NameLookup::look_up(std::span<const HashQuery> queries) const {
  std::vector<Namesakes> all;
  for (std::size_t begin = 0; begin < queries.size(); begin += kHashesPerRound) {
    for (Namesakes& found : find_positions(queries.subspan(begin, std::min(kHashesPerRound, queries.size() - begin)))) {
      all.push_back(std::move(found));
    }
  }
  std::vector<std::uint32_t> positions;
  for (const Namesakes& found : all) {
    for (const FoundTrack& track : found.tracks) positions.push_back(track.position);
  }
  const std::vector<StoredTrack> stored = lookup_.at(positions);
  auto next = stored.begin();
  for (Namesakes& found : all) {
    for (FoundTrack& track : found.tracks) track.track = (next++)->rendered;
  }
  return all;
}

/// Does not read the tracks.
std::vector<Namesakes> NameLookup::find_positions(std::span<const HashQuery> queries) const {
  std::vector<std::uint64_t> hashes;
  for (const HashQuery& query : queries) hashes.push_back(query.hash);
  fetcher_.phrases(hashes);
  std::vector<std::vector<std::uint32_t>> positions;
  std::vector<std::uint32_t> compared;
  for (const HashQuery& query : queries) {
    const auto tracks = index_.phrases.tracks_of(query.hash);
    positions.emplace_back(tracks.begin(),
                           tracks.begin() + std::min<std::ptrdiff_t>(std::ssize(tracks), kNamesakesCompared + 1));
    index_.taken_down.remove_from(positions.back());
    if (positions.back().size() > kNamesakesMax && !query.duration_ms.empty()) {
      compared.insert(compared.end(), positions.back().begin(), positions.back().end());
    }
  }
  fetcher_.elements(index_.columns.duration_ms, compared);
  std::vector<Namesakes> all;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    auto& named = positions[i];
    const Range& duration_ms = queries[i].duration_ms;
    Namesakes& found = all.emplace_back();
    found.are_too_many = named.size() > (duration_ms.empty() ? kNamesakesMax : kNamesakesCompared);
    if (found.are_too_many) continue;
    const auto is_out_of_range = [&](std::uint32_t position) {
      if (position >= index_.layout.size) throw_damaged("a phrase refers to a missing track");
      return !duration_ms.contains(index_.columns.duration_ms[position]);
    };
    if (named.size() > kNamesakesMax) std::erase_if(named, is_out_of_range);
    found.are_too_many = named.size() > kNamesakesMax;
    if (found.are_too_many) continue;
    for (const std::uint32_t position : named) found.tracks.push_back({position, {}});
  }
  return all;
}

}  // namespace tonearm::catalog
