#include "cleaning/cleaning.h"

#include <doctest/doctest.h>

#include "cleaning/categories.h"
#include "cleaning/quality.h"
#include "cleaning/traits.h"
#include "cleaning/words.h"
#include "intake/policy.h"
#include "mapping/vocabulary.h"
#include "scratch_folder.h"
#include "tonearm/result.h"
#include "track_files.h"

namespace tonearm::builder {
namespace {

Track effect(std::string title, std::vector<std::string> tags) {
  Track track;
  track.id = "a-1";
  track.kind = Kind::sfx;
  track.title = std::move(title);
  track.duration_ms = 1000;
  track.tags[static_cast<std::size_t>(Facet::sfx)] = std::move(tags);
  return track;
}

Track song(std::vector<std::string> moods, std::string description = {}) {
  Track track;
  track.id = "a-2";
  track.title = "T";
  track.description = std::move(description);
  track.tags[static_cast<std::size_t>(Facet::mood)] = std::move(moods);
  return track;
}

RuleSet only(Rule rule) {
  RuleSet rules;
  for (std::size_t i = 0; i < kRuleNames.size(); ++i) {
    if (static_cast<Rule>(i) != rule) rules.turn_off(static_cast<Rule>(i));
  }
  return rules;
}

Track cleaned(Track track, Rule rule, Report& report) {
  auto tracks = test::track_file({std::move(track)});
  clean(tracks, {true}, only(rule), report);
  return tracks.read(0);
}

const std::vector<std::string>& tags(const Track& track, Facet facet) {
  return track.tags[static_cast<std::size_t>(facet)];
}

std::string category_of(std::string title, std::vector<std::string> given = {}) {
  const auto found = built_in_categories().category_of(effect(std::move(title), std::move(given)));
  return found ? std::string(kCategories[*found].id) : "";
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("moods of all sources are normalized, and their words are kept (BUILD-19)") {
  Report report;
  const auto track = cleaned(song({"calming", "relaxed", "unnerving", "deep"}, "A relaxed one."), Rule::moods, report);
  CHECK(tags(track, Facet::mood) == Names{"calm", "eerie"});
  CHECK(track.description == "A relaxed one.");
  CHECK(track.matching_words == Names{"unnerving", "deep"});  // `calming` has the stem of `calm`
  CHECK(report.cleaned ==
        Counts{{"moods: tag became a word", 1}, {"moods: tag renamed", 3}, {"moods: word kept for searches", 2}});
  CHECK(report.tags_before[1].tags == 4);
  CHECK(report.tags_after[1].once == 2);
}

TEST_CASE("effect tags are normalized, and no word is lost (BUILD-19)") {
  Report report;
  const auto track = cleaned(effect("x", {"rain-storm", "birds-chirping", "hat", "kazoo", "metal", "iron", "owi"}),
                             Rule::effects, report);
  CHECK(tags(track, Facet::sfx) == Names{"thunderstorm", "bird", "metal"});
  CHECK(tags(track, Facet::instrument) == Names{"hi-hat"});
  CHECK(track.description.empty());
  CHECK(track.matching_words == Names{"rain-storm", "birds-chirping", "kazoo", "iron", "owi"});
}

TEST_CASE("the vocabularies of moods and effects are short, and every alias leads to a tag in them") {
  std::size_t moods = 0;
  std::size_t effects = 0;
  for (const auto& tag : tag_aliases()) {
    const bool is_of_scale = tag.of == std::string(kFacetNames[static_cast<std::size_t>(tag.facet)]) + ":" + tag.id;
    moods += is_of_scale && tag.facet == Facet::mood ? 1U : 0U;
    effects += is_of_scale && tag.facet == Facet::sfx ? 1U : 0U;
  }
  CHECK(moods >= 20);
  CHECK(moods <= 30);
  CHECK(effects >= 90);
  CHECK(effects <= 130);
}

TEST_CASE("categories are assigned by words, and conflicting rules assign none (BUILD-20)") {
  CHECK(category_of("Dog Bark", {"animal", "bark", "dog"}) == "fx-a");
  CHECK(category_of("Metal container hit soft", {"container", "hit", "metal"}) == "fx-o");
  CHECK(category_of("thunder&rain", {"rain", "thunderstorm"}) == "fx-n");
  CHECK(category_of("longBeep1") == "fx-el");
  CHECK(category_of("a pencil behind the clock").empty());
  CHECK(category_of("a boat").empty());
  CHECK(category_of("Man speaking, speech, conversation").empty());
  CHECK(category_of("M-s (whispered).aif") == "sp-s");
  CHECK(category_of("robot speech").empty());
  CHECK(category_of("speech zombie groan 2").empty());
  CHECK(category_of("voice 3").empty());
  auto too_long = effect("violin", {});
  too_long.duration_ms = 60'000;
  CHECK_FALSE(built_in_categories().category_of(too_long));
  too_long.duration_ms = 5'000;
  CHECK(built_in_categories().category_of(too_long));
  too_long.kind = Kind::music;
  CHECK_FALSE(built_in_categories().category_of(too_long));
}

TEST_CASE("invalid category rules are rejected (BUILD-20)") {
  const auto refused = [](std::string_view toml) { CHECK_THROWS_AS(CategoryRules(toml, "x.toml"), Failure); };
  refused("[[sure]]\ncategory = 'fx-zz'\nwords = ['a']");
  refused("[[sure]]\ncategory = 'fx-a'");
  refused("[[sure]]\ncategory = 'fx-a'\nwords = ['a+']");
  refused("[[sure]]\ncategory = 'fx-a'\nwords = ['a']\nmax_s = 0");
  refused("[[likely]]\ncategory = 'fx-a'\nwords = ['a']");
}

TEST_CASE("missing energy, tone and looping are derived from tags (BUILD-17)") {
  const auto traits = built_in_traits();
  Counts counts;
  auto calm = song({"calm", "dark"});
  traits.apply(calm, counts);
  CHECK(calm.energy == Energy::calm);
  CHECK(calm.tone == Tone::dark);
  auto both = song({"calm", "aggressive", "bright"});
  both.tone = Tone::warm;
  traits.apply(both, counts);
  CHECK_FALSE(both.energy);
  CHECK(both.tone == Tone::warm);
  auto loop = effect("drum_loop", {});
  traits.apply(loop, counts);
  CHECK(loop.loop);
  CHECK(counts == Counts{{"traits: energy", 1}, {"traits: loop", 1}, {"traits: tone", 1}});
  CHECK_THROWS_AS(TraitRules("'energy:loud' = ['mood:calm']", "x.toml"), Failure);
  CHECK_THROWS_AS(TraitRules("'energy:calm' = ['calm']", "x.toml"), Failure);
}

TEST_CASE("rules match whole words, and a non-ASCII letter is part of a word (BUILD-17)") {
  const auto words = [](std::string title) {
    auto track = effect(std::move(title), {});
    return rule_words(track);
  };
  CHECK_FALSE(words("St\u00e1loop").contains("loop"));
  CHECK(words("St\u00e1 loop\u2026rain\u2013wind").contains("loop"));
  CHECK(words("St\u00e1 loop\u2026rain\u2013wind").contains("wind"));
  CHECK(words("DoorSlam2").contains("slam"));
  CHECK_FALSE(words("Loopback").contains("loop"));
  auto track = song({});
  track.title = "St\u00e1loop";
  Report report;
  CHECK_FALSE(cleaned(track, Rule::traits, report).loop);
  track.title = "Game Loop";
  CHECK(cleaned(track, Rule::traits, report).loop);
}

TEST_CASE("quality keeps the order of the sources, and metadata breaks ties (BUILD-17)") {
  auto poor = song({});
  auto rich = song({"calm", "dark", "epic"}, std::string(1000, 'x'));
  rich.original_url = "https://a.example/a.mp3";
  CHECK(refined_quality(poor) == 500);
  CHECK(refined_quality(rich) > refined_quality(poor));
  CHECK(refined_quality(rich) <= 599);
  poor.quality = 800;
  rich.quality = 600;
  CHECK(refined_quality(poor) > refined_quality(rich));
  poor.quality = 1000;
  CHECK(refined_quality(poor) == 900);
}

TEST_CASE("the report counts the distinct qualities of a kind and the tracks of the most frequent (BUILD-23)") {
  auto known = song({"calm"}, "Sixteen bytes and more");
  known.source_page = "https://a.example/1";
  auto tracks = test::track_file({song({}), song({}), known, effect("Rain", {})});
  Report report;
  clean(tracks, std::vector<bool>(tracks.size(), true), only(Rule::quality), report);
  CHECK(report.quality_before[0].values == 1);
  CHECK(report.quality_before[0].largest == 3);
  CHECK(report.quality_after[0].values == 2);
  CHECK(report.quality_after[0].largest == 2);
  CHECK(report.quality_after[1].values == 1);
  const auto text = report.to_json();
  CHECK(text.find("\"quality_after\":{\n    \"music\":{\"values\":2,\"largest\":2},\n    "
                  "\"sfx\":{\"values\":1,\"largest\":1}\n  }") != std::string::npos);
}

TEST_CASE("a policy with an unknown rule is rejected with the names of all rules (BUILD-18)") {
  const test::ScratchFolder folder;
  CHECK_THROWS_WITH_AS(read_policy(folder.write("p.toml", "[rules]\ntitels = false\n")),
                       doctest::Contains("p.toml:2: rules.titels is not known here; known are titles, numbers"),
                       Failure);
  CHECK_THROWS_WITH_AS(read_policy(folder.write("q.toml", "[rules]\ntitles = 'no'\n")),
                       doctest::Contains("q.toml:2: rules.titles must be true or false"), Failure);
  const auto policy = read_policy(folder.write("r.toml", "[rules]\nmoods = false\ntitles = true\n"));
  for (std::size_t i = 0; i < kRuleNames.size(); ++i)
    CHECK(policy.rules.is_on(static_cast<Rule>(i)) == (kRuleNames[i] != "moods"));
}

TEST_CASE("a rule that is off changes nothing (BUILD-18)") {
  auto track = effect("loud_kick_01.wav", {"kazoo"});
  track.description = "It rains.And how.";
  track.tags[static_cast<std::size_t>(Facet::mood)] = {"relaxed"};
  const auto with = [&](std::optional<Rule> off) {
    RuleSet rules;
    if (off) rules.turn_off(*off);
    auto tracks = test::track_file({track});
    Report report;
    clean(tracks, {true}, rules, report);
    return tracks.read(0);
  };
  const auto all = with(std::nullopt);
  CHECK(all.title == track.title);
  CHECK(all.description == track.description);
  CHECK(all.matching_title == "loud kick");
  CHECK(with(Rule::numbers).matching_title == "loud kick 01");
  CHECK(with(Rule::titles).matching_title.empty());
  CHECK(tags(all, Facet::mood) == Names{"calm"});
  CHECK(tags(with(Rule::moods), Facet::mood) == Names{"relaxed"});
  CHECK(tags(all, Facet::sfx) != tags(track, Facet::sfx));
  CHECK(tags(with(Rule::effects), Facet::sfx) == tags(track, Facet::sfx));
  CHECK(all.category.has_value());
  CHECK_FALSE(with(Rule::categories).category.has_value());
  CHECK(all.energy == Energy::calm);
  CHECK_FALSE(with(Rule::traits).energy.has_value());
  CHECK(with(Rule::quality).quality == track.quality);
}

TEST_CASE("canonical lines are not cleaned, and no rule changes license or artist (BUILD-18)") {
  auto track = effect("loud_rain.wav", {"kazoo"});
  track.description = "It rains.And how.";
  track.artist = "some_artist.wav";
  track.license = LicenseId::cc_by_nc_3_0;
  Report report;
  auto file = test::track_file({track, track});
  clean(file, {false, true}, {}, report);
  const auto tracks = test::tracks_of(file);
  CHECK(tracks[0].title == track.title);
  CHECK(tracks[0].quality == track.quality);
  CHECK(tracks[1].title == track.title);
  CHECK(tracks[1].matching_title == "loud rain");
  CHECK(tracks[1].description == track.description);
  CHECK(tracks[1].matching_words == Names{"kazoo"});
  CHECK(tracks[1].artist == track.artist);
  CHECK(tracks[1].license == track.license);
  CHECK(report.rules_off.empty());

  RuleSet none;
  for (std::size_t i = 0; i < kRuleNames.size(); ++i) none.turn_off(static_cast<Rule>(i));
  auto same_file = test::track_file({track});
  Report off;
  clean(same_file, {true}, none, off);
  const auto same = test::tracks_of(same_file);
  CHECK(same[0].title == track.title);
  CHECK(same[0].description == track.description);
  CHECK(tags(same[0], Facet::sfx) == tags(track, Facet::sfx));
  CHECK(same[0].quality == track.quality);
  CHECK(off.cleaned.empty());
  CHECK(off.rules_off.size() == kRuleNames.size());
}

}  // namespace tonearm::builder
