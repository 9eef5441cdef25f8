// Completions (COMPLETE-1 to COMPLETE-6), compared with a list of all texts.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "../sample_tracks.h"
#include "tonearm/ascii.h"

using namespace tonearm;
using namespace tonearm::test;

namespace {

using Texts = std::vector<std::string>;

Texts texts(const std::vector<Completion>& completions) {
  Texts found;
  for (const Completion& it : completions) found.push_back(it.text);
  return found;
}

Track by(std::string id, std::string title, std::string artist) {
  Track track = music(std::move(id), std::move(title));
  track.artist = std::move(artist);
  return track;
}

/// A few tracks with all fields.
std::vector<Track> few() {
  std::vector<Track> tracks{by("x-1", "Slow Piano", "Ada Pianist"), by("x-2", "Piano and Rain", "Ada Pianist"),
                            by("x-3", "Rain", "Bo"), by("x-4", "Slow Piano", "Cy Stone")};
  tracks[0].tags[static_cast<std::size_t>(Facet::instrument)] = {"piano"};
  tracks[1].tags[static_cast<std::size_t>(Facet::instrument)] = {"piano"};
  tracks.push_back(effect("x-5", "Explosion of a piano", "fx-n"));
  Track gone = by("x-6", "Pianola", "Di");
  gone.taken_down = true;
  tracks.push_back(gone);
  return tracks;
}

/// A catalog in which some prefixes have more than a thousand keys.
std::vector<Track> many() {
  const std::array<std::string, 8> colors{"Red", "Green", "Blue", "Gray", "Golden", "Glass", "Great", "Gentle"};
  const std::array<std::string, 5> nouns{"Grove", "garden", "Gate", "Ghost", "River"};
  std::vector<Track> tracks;
  for (int i = 0; i < 1'600; ++i) {
    const std::string number = std::to_string(1'000 + i * 7 % 1'000);
    const auto pick = static_cast<std::size_t>(i);
    tracks.push_back(by("x-" + std::to_string(1'000 + i), colors.at(pick % 8) + " " + number + " " + nouns.at(pick % 5),
                        "Gil " + std::to_string(i % 300)));
  }
  return tracks;
}

using CompletionsByWords = std::map<Texts, Completion>;

/// Returns all whole texts with their totals: titles, artists, and words.
CompletionsByWords all_completions(const Catalog& catalog, const std::vector<Track>& tracks) {
  CompletionsByWords all;
  const auto add = [&](const std::string& text, CompletionField field) {
    SearchQuery query = words(text);
    all.emplace(catalog.words(text), Completion{text, field, catalog.count(query)});
  };
  std::map<std::string, int> counts;
  for (const Track& track : tracks) add(track.artist, CompletionField::artist);
  for (const Track& track : tracks) add(track.title, CompletionField::title);
  for (const Track& track : tracks) {
    const Texts in_title = catalog.words(track.title);
    for (const std::string& text : {in_title.front(), in_title.back(), std::string("gil")}) ++counts[text];
  }
  for (const auto& [text, count] : counts) {
    if (count >= 3) add(text, CompletionField::words);
  }
  return all;
}

/// Returns the completions of single words by a scan.
std::vector<Completion> by_scan(const CompletionsByWords& all, const std::string& typed) {
  using Key = std::tuple<bool, std::uint64_t, std::size_t, std::string>;
  std::map<Key, Completion> ranked;
  for (const auto& [folded, completion] : all) {
    std::string whole;
    for (const std::string& word : folded) whole += (whole.empty() ? "" : " ") + word;
    const bool begins = whole.starts_with(typed);
    if (!begins && !folded.back().starts_with(typed)) continue;
    const std::uint64_t weight = completion.field == CompletionField::artist  ? 4
                                 : completion.field == CompletionField::words ? 2
                                                                              : 1;
    ranked[{whole != typed, ~(completion.total * weight * (begins ? 2 : 1)), completion.text.size(), completion.text}] =
        completion;
  }
  std::vector<Completion> found;
  for (const auto& [key, completion] : ranked) {
    if (found.size() < 20) found.push_back(completion);
  }
  return found;
}

}  // namespace

TEST_CASE("completions begin with what is typed, or their last word does") {
  const auto catalog = make_memory_catalog(few());
  const auto found = catalog->complete("pian", Kind::music, 20);
  CHECK(texts(found) == Texts{"Piano", "Ada Pianist", "Slow Piano", "Piano and Rain"});
  CHECK(found[0].field == CompletionField::tag);
  CHECK(found[0].total == 3);
  CHECK(found[1].field == CompletionField::artist);
  CHECK(found[1].total == 2);
  CHECK(found[2].field == CompletionField::title);
  CHECK(found[2].total == 2);
  CHECK(found[3].total == 1);
  CHECK_FALSE(found[0].is_corrected);
  CHECK(texts(catalog->complete("Slow  PIA", Kind::music, 20)) == Texts{"Slow Piano"});
  CHECK(texts(catalog->complete("pian", Kind::music, 2)) == Texts{"Piano", "Ada Pianist"});
  CHECK(texts(catalog->complete("natural", Kind::sfx, 20)) == Texts{"Natural elements and explosions"});
  CHECK(texts(catalog->complete("explosion", Kind::sfx, 20)) ==
        Texts{"Natural elements and explosions", "Explosion of a piano"});
  CHECK(catalog->complete("", Kind::music, 20).empty());
  CHECK(catalog->complete("?!", Kind::music, 20).empty());
  for (const Completion& it : catalog->complete("pianola", Kind::music, 20)) CHECK(it.is_corrected);
}

TEST_CASE("the last of several words is completed if no text begins with them") {
  const auto catalog = make_memory_catalog(few());
  const auto found = catalog->complete("rain pia", Kind::music, 20);
  REQUIRE(found.size() == 1);
  CHECK(found[0] == Completion{"rain piano", CompletionField::words, 1, false});
  CHECK(catalog->complete("bo pia", Kind::music, 20).empty());
}

TEST_CASE("a mistyped word is corrected if nothing begins with it") {
  const auto catalog = make_memory_catalog(few());
  const auto found = catalog->complete("paino", Kind::music, 20);
  // Those of "piano", then those of "rain", which is farther.
  CHECK(texts(found) == Texts{"Piano", "Slow Piano", "Piano and Rain", "Rain"});
  for (const Completion& it : found) CHECK(it.is_corrected);
  CHECK(texts(catalog->complete("slwo pia", Kind::music, 20)) == Texts{"Slow Piano"});
  CHECK(catalog->complete("rain paino", Kind::music, 20) ==
        std::vector{Completion{"rain piano", CompletionField::words, 1, true}});
  CHECK(catalog->complete("xyzzyx", Kind::music, 20).empty());
}

TEST_CASE("completions are those of a scan, also of a remote file") {
  const std::vector<Track> tracks = many();
  const std::string bytes = snapshot_bytes(tracks);
  const auto catalog = Catalog::open(snapshot_of_bytes(bytes), {}).value();
  const auto paged = paged_snapshot_of_bytes(bytes, Blocks::immediate);
  const auto remote = Catalog::open(paged, {}).value();
  const auto all = all_completions(*catalog, tracks);
  for (const std::string typed :
       {"g", "gr", "gre", "green 1", "ga", "gi", "gil 2", "r", "red 1007", "glass 1", "o", "gil"}) {
    CAPTURE(typed);
    const auto found = catalog->complete(typed, Kind::music, 20);
    CHECK(found == by_scan(all, typed));
    CHECK(remote->complete(typed, Kind::music, 20) == found);
    CHECK(catalog->complete(typed, Kind::sfx, 20).empty());
  }
}
