#include "domain/file_match.h"

#include <doctest/doctest.h>

using namespace tonearm;

namespace {

using Outcome = TitleChoice::Outcome;
using Needs = NameReading::Needs;

const FileCandidate kRain{"a-1", {"morning", "rain"}, {"ada"}, 60'000};
const FileCandidate kOtherRain{"a-2", {"morning", "rain"}, {"ben"}, 90'000};
const FileCandidate kThunder{"freesound-7", {"thunder"}, {}, 5'000};

TitleChoice choose(std::vector<std::string> words, const std::vector<FileCandidate>& candidates,
                   const FileFacts& file = {}, Needs needs = Needs::nothing) {
  return choose_by_title({"", needs}, words, file, candidates);
}

}  // namespace

// CREDIT-23, CREDIT-24
TEST_CASE("A title finds the one track that has it") {
  const TitleChoice found = choose({"morning", "rain"}, {kRain});
  CHECK(found.outcome == Outcome::found);
  CHECK(found.score == 60);
  CHECK(choose({"thunder"}, {kRain, kThunder}).score == 50);
  CHECK(choose({"thunder"}, {kRain, kThunder}).index == 1);
  CHECK(choose({"morning"}, {kRain}).outcome == Outcome::none);
  const FileCandidate file{"a-3", {"hail", "wav"}, {"ada"}, 60'000, {"hail"}};
  CHECK(choose({"hail"}, {kRain, file}).index == 1);
  CHECK(choose({"hail", "by", "ada"}, {file}).score == 80);
  CHECK(choose({"hail", "wav"}, {file}).outcome == Outcome::found);
  CHECK(choose({"wav"}, {file}).outcome == Outcome::none);
  CHECK(choose({"morning", "rain"}, {kRain, kOtherRain}).outcome == Outcome::ambiguous);
}

// CREDIT-23, CREDIT-24
TEST_CASE("The artist matches before or after the title, and with the word by between them") {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"ada", "morning", "rain"},
                                                {"morning", "rain", "ada"},
                                                {"morning", "rain", "by", "ada"}}) {
    CHECK(choose(words, {kOtherRain, kRain}).index == 1);
    CHECK(choose(words, {kOtherRain, kRain}).score == 80);
    CHECK(choose(words, {kRain}, {60'500, {}}).score == 85);
    CHECK(choose(words, {kRain}, {500'000, {}}).score == 80);
  }
}

// CREDIT-23, CREDIT-24
TEST_CASE("The duration distinguishes tracks with the same title, and excludes other works") {
  CHECK(choose({"morning", "rain"}, {kRain, kOtherRain}, {88'500, {}}).index == 1);
  CHECK(choose({"morning", "rain"}, {kRain, kOtherRain}, {88'500, {}}).score == 70);
  CHECK(choose({"morning", "rain"}, {kRain}, {70'000, {}}).outcome == Outcome::none);
  CHECK(matching_durations(1'000).min_ms == 0);
  CHECK(matching_durations(1'000).max_ms == 3'000);
  CHECK(matching_durations(500'000).min_ms == 490'000);
}

// CREDIT-23
TEST_CASE("A reading may need more than a title, and a different source number excludes a track") {
  CHECK(choose({"thunder"}, {kThunder}, {}, Needs::artist_or_duration).outcome == Outcome::none);
  CHECK(choose({"thunder"}, {kThunder}, {5'000, {}}, Needs::artist_or_duration).score == 70);
  CHECK(choose({"ada", "morning", "rain"}, {kRain}, {}, Needs::artist_or_duration).score == 80);
  CHECK(choose({"ada", "morning", "rain"}, {kRain}, {}, Needs::duration).outcome == Outcome::none);
  const SourceNumber other{"freesound-8", "freesound.org", {}, {}};
  CHECK(choose({"thunder"}, {kThunder}, {{}, other}).outcome == Outcome::none);
}

// CREDIT-22
TEST_CASE("A source number is consistent with a track whose artist or title is in the name") {
  const SourceNumber number{"freesound-7", "freesound.org", "adaexample", "thunder"};
  CHECK(is_consistent(number, "Other", "Ada Example"));
  CHECK(is_consistent(number, "Thunder!", "Ben"));
  CHECK_FALSE(is_consistent(number, "Other", "Ben"));
  CHECK(is_consistent({"freesound-7", "freesound.org", {}, {}}, "Other", "Ben"));
}
