#pragma once
// Styles of genres, read from data/styles.toml, and the pieces to compose, from data/pieces.toml.
//
// A pattern is a row of steps of equal length, with '|' between bars. '.' is a rest; '-' sustains the previous note.
//   comp    x a chord, X an accent, o soft; u the upper three notes alone
//   strum   the same, with the notes in quick succession, as on a guitar
//   arp     1 to 8: the notes of the chord from the lowest, continued an octave higher
//   bass    R root; 3, 5, 7 chord tones; 8 octave; a an approach to the next root; w a step of a walk
//   melody  x a note of the motif
//   drums   1 to 9: the strength of the stroke

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "composition/score.h"

namespace tonearm::demo {

enum class Role : std::uint8_t { pad, comp, strum, arp, bass, melody, guide, drums };

/// One player of a band.
struct Player {
  Role role = Role::pad;
  Voice voice;   // without notes
  int low = 48;  // range of keys
  int high = 72;
  int voices = 4;  // notes of a chord
  int velocity = 80;
  std::string sections;  // letters of the sections in which it plays
  std::vector<std::string> patterns;
};

/// Patterns by drum key.
using Groove = std::vector<std::pair<int, std::string>>;

struct Band {
  std::string name;
  int swing = 0;       // delay of the second of two steps, in ticks
  int swing_unit = 8;  // 8: eighths, 16: sixteenths
  int beats_per_bar = 4;
  bool has_fills = false;
  Room room;
  std::vector<Player> players;
  std::map<std::string, std::vector<Groove>> grooves;  // "light", "main", "full"
};

struct Style {
  std::string genre;
  std::map<std::string, std::vector<std::string>> progressions;  // by mode
  std::vector<std::string> rhythms;                              // of melodies, two bars each
  std::map<std::string, Band> bands;
};

struct Section {
  char kind = 'a';  // i intro, a verse, b chorus, c bridge, k break, o outro
  int bars = 8;
};

struct Piece {
  std::string name;  // of the files
  std::string title;
  std::string description;
  std::string genre;
  std::string band;
  std::string tonic;
  std::string mode;
  int bpm = 120;
  std::uint64_t seed = 0;
  bool is_loop = false;
  std::vector<Section> form;
  std::string license;
  std::vector<std::string> moods;
  std::vector<std::string> uses;
};

/// Both throw Failure for a file that is not valid.
std::map<std::string, Style> read_styles();
std::vector<Piece> read_pieces();

}  // namespace tonearm::demo
