#include "snapshot_readings.h"

#include <array>
#include <memory>
#include <numeric>

#include "memory_catalog.h"
#include "tonearm/snapshot_writer.h"

namespace tonearm::test {

namespace {

std::vector<std::uint32_t> fingerprint_of(std::size_t number) {
  std::vector<std::uint32_t> values(60);
  std::iota(values.begin(), values.end(), 0x9e3779b9U * static_cast<std::uint32_t>(number + 1));
  return values;
}

std::vector<Track> small_tracks() {
  constexpr std::array<std::string_view, 6> kWords{"rain", "storm", "Night drive", "slow piano", "drums", "b\xc3\xb6"};
  std::vector<Track> tracks(24);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    Track& track = tracks[i];
    track.id = "t-" + std::to_string(i);
    track.title = std::string(kWords[i % kWords.size()]) + ' ' + std::to_string(i / 2);
    track.artist = "Artist " + std::to_string(i % 4);
    track.duration_ms = 5'000 + 20'000 * i;
    track.source = i % 3 == 0 ? "example.org" : "example.com";
    track.source_page = "https://" + track.source + "/" + track.id;
    if (i % 5 == 4) {
      track.kind = Kind::sfx;
      track.duration_ms = 2'000;
    } else {
      track.tags[0] = {i % 2 == 0 ? "ambient" : "rock"};
      if (i % 2 == 0) track.bpm_hundredths = 9'000 + 100 * static_cast<std::uint32_t>(i);
    }
    for (std::uint32_t j = 1; j <= 3; ++j) {
      const std::size_t other = (i + 5 * j) % tracks.size();
      if (other != i) track.neighbors.push_back(static_cast<std::uint32_t>(other));
    }
    if (i % 4 == 0) {
      track.audio = std::make_shared<const TrackAudio>(TrackAudio{fingerprint_of(i), {}, {Sha256{1}}});
    }
  }
  return tracks;
}

std::string described(const Catalog& catalog, const Page& page) {
  std::string text = std::to_string(page.total) + ':';
  for (const RenderedTrack& track : catalog.render(page.tracks)) text += track.json;
  return text;
}

Reading search_for(std::string_view name, const std::function<void(SearchQuery&)>& set) {
  SearchQuery query;
  set(query);
  return {name, [query](const Catalog& catalog) { return described(catalog, catalog.search(query)); }};
}

std::string count_facets(const Catalog& catalog) {
  constexpr std::array kFacets{CountedFacet::genre, CountedFacet::license, CountedFacet::source, CountedFacet::creator};
  std::string text;
  for (const auto& values : catalog.facet_counts({}, kFacets).of) {
    for (const ValueCount& value : values.value_or(std::vector<ValueCount>{})) {
      text += value.id + '=' + std::to_string(value.count) + ' ';
    }
  }
  return text;
}

std::string look_up(const Catalog& catalog) {
  std::string text;
  const std::vector<std::string> ids{"t-3", "t-99", "t-7"};
  for (const auto& found : catalog.look_up(ids)) text += found ? found->track.json : "none ";
  const std::vector<TitleQuery> titles{{"rain 3", {}}};
  for (const auto& names : catalog.look_up_titles(titles)) text += std::to_string(names.tracks.size());
  const std::vector<std::vector<std::uint32_t>> sounds{fingerprint_of(4)};
  for (const auto& found : catalog.look_up_fingerprints(sounds)) text += std::to_string(found.size());
  for (const auto& heard : catalog.look_up_mixes(sounds)) text += std::to_string(heard.size());
  return text;
}

std::string find_similar(const Catalog& catalog) {
  const auto position = catalog.find("t-2");
  if (!position) return "none";
  MergeQuery merge;
  merge.seeds = {"t-1", "t-8"};
  return described(catalog, catalog.similar(*position, {}, 10, 0)) + described(catalog, catalog.merge_similar(merge));
}

std::string complete(const Catalog& catalog) {
  std::string text;
  for (const std::string_view typed : {"r", "arti", "pianp"}) {
    for (const Completion& it : catalog.complete(typed, Kind::music, 5))
      text += it.text + std::to_string(it.total) + ' ';
  }
  for (const std::string& word : catalog.near_words("raim", Kind::music, 5)) text += word + ' ';
  for (const auto& creator : catalog.creators("art", 10)) text += creator.name + std::to_string(creator.track_count);
  return text;
}

}  // namespace

std::string small_snapshot(Hashing& hashing) {
  SnapshotOptions options;
  options.synonyms = {{"rain", "shower"}};
  return snapshot_bytes(small_tracks(), options, hashing);
}

const std::vector<Reading>& readings() {
  static const std::vector<Reading> all{search_for("words", [](SearchQuery& query) { query.q = "rain night piano"; }),
                                        search_for("all words",
                                                   [](SearchQuery& query) {
                                                     query.q = "slow piano 1";
                                                     query.match = WordMatch::all;
                                                     query.variants = Variants::collapse;
                                                   }),
                                        search_for("filters",
                                                   [](SearchQuery& query) {
                                                     query.tags[0] = {"ambient"};
                                                     query.filters.bpm_hundredths.min = 9'000;
                                                     query.sort = Sort::longest;
                                                     query.sources = {"example.com"};
                                                   }),
                                        search_for("shuffle", [](SearchQuery& query) { query.seed = "seed"; }),
                                        {"facets", count_facets},
                                        {"look-ups", look_up},
                                        {"similar", find_similar},
                                        {"completions", complete}};
  return all;
}

}  // namespace tonearm::test
