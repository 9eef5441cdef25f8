// Compares the matching of files to tracks with one loop over a list of tracks: random names from random catalogs,
// resident and fetched block by block (CREDIT-12, CREDIT-20 to CREDIT-24).

#include "api/answers/file_matches.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "domain/file_names.h"
#include "fakes.h"
#include "memory_catalog.h"
#include "oracle_random.h"
#include "text/web_address.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

bool one_in(SeededRandom& random, std::size_t count) { return random.below(count) == 0; }

/// Few titles and pages for many tracks, so that many collide.
void make_alike(std::vector<Track>& tracks, SeededRandom& random) {
  const std::array<std::string, 6> titles{"Rain",    "Rains",    "Morning Rain",
                                          "7 Rings", "Rain.wav", "Morning Rain by Ada"};
  const std::array<std::string, 4> artists{"", "Ada", "Ben Bo", "Rain"};
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (one_in(random, 2)) tracks[i].title = titles[random.below(titles.size())];
    if (one_in(random, 2)) tracks[i].artist = artists[random.below(artists.size())];
    tracks[i].duration_ms = 1'000 + 5'000 * random.below(8);
    if (one_in(random, 2)) tracks[i].source_page = "https://example.org/p/" + std::to_string(random.below(30));
    if (one_in(random, 3)) tracks[i].original_url = "https://example.org/f/" + std::to_string(i) + ".mp3";
  }
}

table::FileBody random_file(const std::vector<Track>& tracks, SeededRandom& random) {
  const Track& track = tracks[random.below(tracks.size())];
  const std::array<std::string, 7> names{track.title,
                                         track.artist + " - " + track.title,
                                         track.title + " by " + track.artist,
                                         "07 " + track.title,
                                         "7 " + track.title + " (1)",
                                         "x " + track.id,
                                         track.artist + " - Album - 03 - " + track.title};
  table::FileBody file;
  file.name = names[random.below(names.size())] + (one_in(random, 2) ? ".mp3" : "");
  if (one_in(random, 3))
    file.duration_s = static_cast<double>(track.duration_ms) / 1'000 + (one_in(random, 3) ? 60 : 0.5);
  if (one_in(random, 4)) file.url = one_in(random, 2) ? track.source_page : track.original_url;
  if (!file.url.empty() && one_in(random, 2)) file.url += "?token=1";
  return file;
}

struct Naive {
  const std::vector<Track>& tracks;
  const Catalog& catalog;

  FileCandidate candidate(const Track& track) const {
    const auto bare = without_audio_extension(track.title);
    return {track.id, catalog.words(track.title), catalog.words(track.artist), track.duration_ms,
            bare.size() == track.title.size() ? std::vector<std::string>() : catalog.words(bare)};
  }

  /// Returns the tracks of a name; none if there are too many and the duration does not narrow them down.
  template <class Has>
  std::vector<const Track*> few(const table::FileBody& file, const Has& has, bool& too_many) const {
    std::vector<const Track*> all;
    for (const Track& track : tracks) {
      if (!track.taken_down && has(track)) all.push_back(&track);
    }
    if (all.size() > kNamesakesMax && file.duration_s) {
      const auto [min_ms, max_ms] =
          matching_durations(static_cast<std::uint64_t>(std::llround(*file.duration_s * 1'000)));
      const auto is_other = [min = min_ms, max = max_ms](const Track* it) {
        return it->duration_ms < min || it->duration_ms > max;
      };
      all.erase(std::remove_if(all.begin(), all.end(), is_other), all.end());
    }
    too_many = all.size() > kNamesakesMax;
    if (too_many) all.clear();
    return all;
  }

  /// `ambiguous`: several tracks have the address, and neither name nor duration decides.
  std::string by_address(const table::FileBody& file, const FileFacts& facts, const FileName& name,
                         bool& ambiguous) const {
    for (const std::string& plain : read_file_address(file.url).forms) {
      bool too_many = false;
      const auto at_it = few(
          file,
          [&](const Track& track) {
            const auto is_it = [&](const std::string& own) { return text::normalized_url(own) == plain; };
            return is_it(track.source_page) || is_it(track.preview_url) || is_it(track.original_url);
          },
          too_many);
      ambiguous = ambiguous || too_many;
      if (at_it.size() == 1) return at_it.front()->id;
      if (at_it.empty()) continue;
      std::vector<FileCandidate> candidates;
      candidates.reserve(at_it.size());
      for (const Track* track : at_it) candidates.push_back(candidate(*track));
      for (const NameReading& reading : name.readings) {
        const auto choice = choose_by_title({reading.text}, catalog.words(reading.text), facts, candidates);
        if (choice.outcome == TitleChoice::Outcome::found) return candidates[choice.index].id;
      }
      ambiguous = true;
      if (!facts.duration_ms) return {};
      std::vector<std::string> like;
      for (const FileCandidate& one : candidates) {
        const auto [min_ms, max_ms] = matching_durations(*facts.duration_ms);
        if (one.duration_ms >= min_ms && one.duration_ms <= max_ms) like.push_back(one.id);
      }
      return like.size() == 1 ? like.front() : std::string();
    }
    return {};
  }

  std::string by_id(const FileName& name) const {
    std::vector<std::string> found;
    for (const auto& place : name.ids) {
      const auto is_there = [&](const std::string& id) {
        return std::any_of(tracks.begin(), tracks.end(), [&](const Track& track) { return track.id == id; });
      };
      const auto id = std::find_if(place.begin(), place.end(), is_there);
      if (id != place.end() && std::find(found.begin(), found.end(), *id) == found.end()) found.push_back(*id);
    }
    return found.size() == 1 ? found.front() : std::string();
  }

  /// Whether a track may have a title by the stems of the index, which ignore inflections.
  bool is_called(const Track& track, const std::vector<std::string>& stems, oracle::Words& words) const {
    const auto stems_of = [&](const std::string& text) {
      std::vector<std::string> all;
      for (const oracle::Token& token : words.of(text)) all.push_back(token.stem);
      return all;
    };
    const auto plus = [](std::vector<std::string> a, const std::vector<std::string>& b) {
      a.insert(a.end(), b.begin(), b.end());
      return a;
    };
    const auto artist = stems_of(track.artist);
    const auto is_named = [&](const std::vector<std::string>& title) {
      if (title.empty() || stems.empty()) return false;
      if (stems == title) return true;
      if (artist.empty()) return false;
      return stems == plus(title, artist) || stems == plus(artist, title) || stems == plus(plus(title, {"by"}), artist);
    };
    return is_named(stems_of(track.title)) || is_named(stems_of(track.matching_title));
  }

  std::string match(const table::FileBody& file, oracle::Words& words) const {
    const FileName name = read_file_name(file.name);
    FileFacts facts;
    facts.number = name.number;
    if (file.duration_s) facts.duration_ms = static_cast<std::uint64_t>(std::llround(*file.duration_s * 1'000));
    bool ambiguous = false;
    if (std::string id = by_address(file, facts, name, ambiguous); !id.empty()) return id;
    if (std::string id = by_id(name); !id.empty()) return id;
    if (ambiguous) return {};
    for (const NameReading& reading : name.readings) {
      if (reading.needs == NameReading::Needs::duration && !facts.duration_ms) continue;
      std::vector<std::string> stems;
      for (const oracle::Token& token : words.of(reading.text)) stems.push_back(token.stem);
      bool too_many = false;
      const auto called = few(
          file, [&](const Track& track) { return is_called(track, stems, words); }, too_many);
      if (too_many) return {};
      std::vector<FileCandidate> candidates;
      candidates.reserve(called.size());
      for (const Track* track : called) candidates.push_back(candidate(*track));
      const auto choice = choose_by_title(reading, catalog.words(reading.text), facts, candidates);
      if (choice.outcome == TitleChoice::Outcome::ambiguous) return {};
      if (choice.outcome == TitleChoice::Outcome::found) return candidates[choice.index].id;
    }
    return {};
  }
};

std::string id_of(const std::optional<api::FileMatch>& match) {
  if (!match) return {};
  const std::string_view json = match->track.json;
  const std::size_t begin = json.find("\"id\":\"") + 6;
  return std::string(json.substr(begin, json.find('"', begin) - begin));
}

}  // namespace

TEST_CASE("files match the tracks that one loop over all of them finds") {
  SeededRandom random(12);
  std::size_t found = 0;
  for (int round = 0; round < 6; ++round) {
    oracle::RandomCatalog made = oracle::random_catalog(random, 20U << static_cast<unsigned>(round));
    make_alike(made.tracks, random);
    const std::string bytes = snapshot_bytes(made.tracks, made.options);
    const auto resident = Catalog::open(snapshot_of_bytes(bytes), {.allow_evaluation = true}).value();
    const auto paged = paged_snapshot_of_bytes(bytes, Blocks::immediate);
    const auto remote = Catalog::open(paged, {.allow_evaluation = true}).value();
    oracle::Words words;
    std::vector<std::string> texts;
    for (const Track& track : made.tracks) texts.insert(texts.end(), {track.title, track.artist});
    const Naive naive{made.tracks, *resident};
    std::vector<table::FileBody> files;
    files.reserve(100);
    for (int i = 0; i < 100; ++i) files.push_back(random_file(made.tracks, random));
    for (const auto& file : files) {
      for (const NameReading& reading : read_file_name(file.name).readings) texts.push_back(reading.text);
    }
    words.learn(texts);
    const auto matches = api::match_files(*resident, files);
    std::vector<std::string> ids;
    for (std::size_t i = 0; i < files.size(); ++i) {
      CAPTURE(files[i].name);
      CAPTURE(files[i].url);
      ids.push_back(id_of(matches[i]));
      CHECK(ids.back() == naive.match(files[i], words));
      if (!ids.back().empty()) ++found;
    }
    const auto from_blocks = api::match_files(*remote, files);
    for (std::size_t i = 0; i < files.size(); ++i) CHECK(id_of(from_blocks[i]) == ids[i]);
    paged->end_request();
  }
  CHECK(found > 200);
}

TEST_CASE(
    "CREDIT-21: where several tracks have the address, only name or duration tells which; else no title is looked "
    "for") {
  std::vector<Track> tracks(7);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    tracks[i].id = "x-" + std::to_string(i);
    tracks[i].title = "Song " + std::to_string(i);
    tracks[i].duration_ms = 10'000 * (i + 1);
    tracks[i].source = "example.org";
    tracks[i].source_page = i < 2 ? "https://example.org/two" : "https://example.org/five";
  }
  tracks.push_back(tracks.front());
  tracks.back().id = "x-7";
  tracks.back().title = "Rain";
  tracks.back().source_page = "https://example.org/alone";
  const auto catalog = make_memory_catalog(tracks);
  const auto match = [&](const std::string& name, const std::string& url, std::optional<double> duration_s) {
    table::FileBody file;
    file.name = name;
    file.url = url;
    file.duration_s = duration_s;
    return id_of(api::match_files(*catalog, {&file, 1}).front());
  };
  CHECK(match("Rain.mp3", {}, {}) == "x-7");
  for (const std::string page : {"https://example.org/two", "https://example.org/five"}) {
    CHECK(match("Rain.mp3", page, {}).empty());
    CHECK(match("x-7.mp3", page, {}) == "x-7");
  }
  CHECK(match("Rain.mp3", "https://example.org/two", 20) == "x-1");
  CHECK(match("Rain.mp3", "https://example.org/five", 30) == "x-2");
  CHECK(match("Song 0.mp3", "https://example.org/two", {}) == "x-0");
}
