#include "catalog/lookup/name_lookup.h"

#include <algorithm>

namespace tonearm::catalog {
namespace {

/// So many hashes are looked up at once: each needs a block or two.
constexpr std::size_t kHashesAtOnce = 60;

}  // namespace

std::vector<Namesakes> NameLookup::look_up_titles(std::span<const TitleQuery> titles, Tokenizer& tokenizer) const {
  std::vector<Wanted> wanted;
  for (const TitleQuery& title : titles) {
    std::vector<std::string> stems;
    tokenizer.each_stem(title.text, [&](std::string_view stem) { stems.emplace_back(stem); });
    wanted.push_back({phrase_hash(PhraseKind::whole, stems), title.duration_ms});
  }
  return look_up(wanted);
}

std::vector<Namesakes> NameLookup::look_up_addresses(std::span<const AddressQuery> addresses) const {
  std::vector<Wanted> wanted;
  for (const AddressQuery& address : addresses) wanted.push_back({address_hash(address.plain), address.duration_ms});
  return look_up(wanted);
}

std::vector<Namesakes> NameLookup::look_up(std::span<const Wanted> wanted) const {
  std::vector<Namesakes> all;
  for (std::size_t begin = 0; begin < wanted.size(); begin += kHashesAtOnce) {
    for (Namesakes& found : positions_of(wanted.subspan(begin, std::min(kHashesAtOnce, wanted.size() - begin)))) {
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

/// The tracks are not read yet.
std::vector<Namesakes> NameLookup::positions_of(std::span<const Wanted> wanted) const {
  std::vector<std::uint64_t> hashes;
  for (const Wanted& one : wanted) hashes.push_back(one.hash);
  fetcher_.phrases(hashes);
  std::vector<std::vector<std::uint32_t>> positions;
  std::vector<std::uint32_t> compared;
  for (const Wanted& one : wanted) {
    const auto tracks = index_.phrases.tracks_of(one.hash);
    positions.emplace_back(tracks.begin(),
                           tracks.begin() + std::min<std::ptrdiff_t>(std::ssize(tracks), kNamesakesCompared + 1));
    if (positions.back().size() > kNamesakesMax && !one.duration_ms.empty()) {
      compared.insert(compared.end(), positions.back().begin(), positions.back().end());
    }
  }
  fetcher_.some(index_.columns.duration_ms, compared);
  std::vector<Namesakes> all;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    auto& named = positions[i];
    const Range& duration_ms = wanted[i].duration_ms;
    Namesakes& found = all.emplace_back();
    found.are_too_many = named.size() > (duration_ms.empty() ? kNamesakesMax : kNamesakesCompared);
    if (found.are_too_many) continue;
    const auto is_other = [&](std::uint32_t position) {
      if (position >= index_.layout.size) damaged("a phrase names a track that there is not");
      return !duration_ms.has(index_.columns.duration_ms[position]);
    };
    if (named.size() > kNamesakesMax) named.erase(std::remove_if(named.begin(), named.end(), is_other), named.end());
    found.are_too_many = named.size() > kNamesakesMax;
    if (found.are_too_many) continue;
    for (const std::uint32_t position : named) found.tracks.push_back({position, {}});
  }
  return all;
}

}  // namespace tonearm::catalog
