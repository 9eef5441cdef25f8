#include "composition/composer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <set>

#include "composition/harmony.h"
#include "mapping/vocabulary.h"
#include "output/listing.h"
#include "tonearm/result.h"

namespace tonearm::demo {
namespace {

std::uint64_t fnv(std::uint64_t hash, const std::string& bytes) {
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3ULL;
  return hash;
}

double seconds_of(const Score& score) { return static_cast<double>(score.ticks()) * 60 / kTicksPerBeat / score.bpm; }

// BUILD-16
TEST_CASE("the demo's pieces are the same notes on every machine") {
  const auto styles = read_styles();
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const auto& piece : read_pieces()) hash = fnv(hash, midi_file(compose(piece, styles)));
  // Update the hash if notes were changed on purpose.
  CHECK(hash == 350027557991477996ULL);
}

TEST_CASE("the demo has at least eighty pieces in twelve genres, each with its own title") {
  const auto styles = read_styles();
  std::set<std::string> titles;
  std::set<std::string> names;
  std::set<std::string> genres;
  for (const auto& piece : read_pieces()) {
    CAPTURE(piece.name);
    titles.insert(piece.title);
    names.insert(piece.name);
    genres.insert(piece.genre);
    const auto score = compose(piece, styles);
    CHECK(seconds_of(score) >= 20);
    CHECK(seconds_of(score) <= 150);
    CHECK(score.voices.size() >= 3);
    CHECK_FALSE(piece.description.empty());
    CHECK(std::set<std::string>{"CC0-1.0", "CC-BY-4.0", "CC-BY-NC-4.0"}.count(piece.license) == 1);
  }
  CHECK(titles.size() == read_pieces().size());
  CHECK(names.size() == titles.size());
  CHECK(titles.size() >= 80);
  CHECK(genres.size() == 12);
}

TEST_CASE("all tags of the demo's pieces are in the vocabularies") {
  const auto words = builder::facet_words("");
  std::set<std::string> tags;
  for (const auto& vocabulary : words.general) {
    for (const auto& [word, targets] : vocabulary) tags.insert(targets.begin(), targets.end());
  }
  const auto known = [&](const std::string& facet, const std::string& tag) {
    return tags.count(std::string(facet).append(":").append(tag)) == 1;
  };
  const auto styles = read_styles();
  for (const auto& piece : read_pieces()) {
    CAPTURE(piece.name);
    const auto entry = entry_of(piece, compose(piece, styles));
    CHECK(known("genre", piece.genre));
    CHECK_FALSE(entry.instruments.empty());
    for (const auto& tag : entry.moods) CHECK_MESSAGE(known("mood", tag), tag);
    for (const auto& tag : entry.uses) CHECK_MESSAGE(known("use", tag), tag);
    for (const auto& tag : entry.instruments) CHECK_MESSAGE(known("instrument", tag), tag);
  }
}

TEST_CASE("notes are within the piece and on keys of a keyboard, and no voice is monotonous") {
  const auto styles = read_styles();
  for (const auto& piece : read_pieces()) {
    CAPTURE(piece.name);
    const auto score = compose(piece, styles);
    for (const auto& voice : score.voices) {
      std::set<int> velocities;
      for (const auto& note : voice.notes) {
        REQUIRE(note.key >= 21);
        REQUIRE(note.key <= 108);
        REQUIRE(note.velocity >= 1);
        REQUIRE(note.velocity <= 127);
        REQUIRE(note.length > 0);
        REQUIRE(note.start >= 0);
        velocities.insert(note.velocity);
      }
      if (voice.notes.size() > 20) CHECK(velocities.size() > 4);
    }
  }
}

TEST_CASE("chords change by small steps") {
  const auto bars = parse_progression("Dm7 G7 Cmaj7+Am7");
  REQUIRE(bars.size() == 3);
  CHECK(bars[2].size() == 2);
  const auto first = voice_chord(bars[0][0], 4, 50, 72, {});
  const auto second = voice_chord(bars[1][0], 4, 50, 72, first);
  REQUIRE(first.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(first[i] - second[i]) <= 4);
  CHECK_THROWS_AS(parse_progression("Hm7"), Failure);
  CHECK_THROWS_AS(parse_progression("Cnonsense"), Failure);
}

TEST_CASE("a piece with an unknown style, band or mode is rejected") {
  const auto styles = read_styles();
  auto piece = read_pieces().front();
  piece.band = "nobody";
  CHECK_THROWS_AS(compose(piece, styles), Failure);
  piece = read_pieces().front();
  piece.mode = "lydian";
  CHECK_THROWS_AS(compose(piece, styles), Failure);
  piece.genre = "silence";
  CHECK_THROWS_AS(compose(piece, styles), Failure);
}

}  // namespace
}  // namespace tonearm::demo
